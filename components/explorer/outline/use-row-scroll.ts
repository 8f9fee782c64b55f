'use client'

import { type RefObject, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useMediaQuery } from '@/components/ui/use-media-query'
import { useOnChange } from '@/components/ui/use-on-change'
import type { BranchId, ChatId, MessageId } from '@/lib/events'
import type { ItemId, RowId } from '@/lib/graph'
import { useFollowedHead } from '../canvas/use-followed-head'
import { toolbarFloatsFrom } from '../model/geometry'
import { openingTop } from './row-model'
import { type Slide, slideTo } from './slide'
import type { Outline } from './use-outline'

/** Place of the reader in a chat, by chat: coming back leads there. */
const kept = new Map<ChatId, { headId: MessageId | null; top: number }>()

/** Room above a row for its toolbar, and below it. */
const clear = { above: 44, below: 30, sheet: 200 }
/** So many rows are drawn beyond each edge of the view. */
const beyond = 40

interface ScrollOptions {
  outline: Outline
  chatId: ChatId
  rowHeight: number
  /** the height of the pane as it opens */
  height: number
  selectedId: MessageId | null
  /** the row that has the focus, or would get it */
  tabId: RowId | null
  /** true when only rows near the view are drawn */
  culls: boolean
}

/** Scrolls the outline: the row being read stays where it is while rows open and close, and the head is followed. */
export function useRowScroll({
  outline,
  chatId,
  rowHeight,
  height,
  selectedId,
  tabId,
  culls,
}: ScrollOptions) {
  const { rows, places, model } = outline
  const { headId, lit } = model
  const scroller = useRef<HTMLDivElement>(null)
  const still = useMediaQuery('(prefers-reduced-motion: reduce)')
  const [opening] = useState(() => {
    const before = kept.get(chatId)
    if (before && before.headId === headId) return before.top
    return openingTop(rows.length, (headId !== null && places.get(headId)) || 0, rowHeight, height)
  })
  const top = useRef(opening)
  const keep = useRef<ItemId | null>(null)
  /** the branch that the kept row leads to */
  const switched = useRef<BranchId>(undefined)
  /** room above the first row, in px, with which a row stays in place though rows above it have closed */
  const slack = useRef(0)
  const slide = useRef<Slide>(undefined)
  const drawn = useRef({ rows, places, rowHeight })
  /** the height of the pane when it was last measured: to ask for it while rows are drawn has them laid out at once */
  const paneHeight = useRef(height)
  const [range, setRange] = useState(() => around(opening, height))

  function around(from: number, size: number) {
    const first = Math.floor(from / rowHeight)
    return { first: first - beyond, last: first + Math.ceil(size / rowHeight) + beyond }
  }
  const draw = () => {
    if (!culls) return
    const first = Math.floor(top.current / rowHeight)
    const last = Math.ceil((top.current + paneHeight.current) / rowHeight)
    if (first < range.first || last > range.last) setRange(around(top.current, paneHeight.current))
  }
  /** Scrolls the rows to a place, beyond their ends too: the room there goes when it is scrolled out of sight. */
  const stayAt = (pane: HTMLElement, to: number) => {
    const content = pane.firstElementChild instanceof HTMLElement ? pane.firstElementChild.style.height : ''
    slack.current = Math.max(0, -to)
    pane.style.paddingTop = `${slack.current}px`
    const below = to > 0 ? Math.max(0, to + pane.clientHeight - Number.parseFloat(content)) : 0
    pane.style.paddingBottom = `${below}px`
    pane.scrollTop = to + slack.current
    top.current = pane.scrollTop - slack.current
  }
  const moveTo = (to: number) => {
    const pane = scroller.current
    if (!pane) return
    slide.current?.stop()
    slide.current = slideTo(pane, to + slack.current, still || !pane.checkVisibility() ? 0 : 150)
  }
  const yOf = (id: ItemId | null): number | undefined => {
    const row = id === null ? null : outline.rowOf(id)
    const at = row === null ? undefined : places.get(row)
    return at === undefined ? undefined : at * rowHeight
  }
  const isSeen = (y: number | undefined): boolean => {
    const pane = scroller.current
    return (
      pane !== null && y !== undefined && y + rowHeight > top.current && y < top.current + pane.clientHeight
    )
  }
  const show = (id: ItemId | null) => {
    const pane = scroller.current
    const y = yOf(id)
    if (!pane || y === undefined || pane.clientHeight === 0) return
    const isSheet = pane.clientWidth < toolbarFloatsFrom && selectedId !== null
    const below = Math.min(isSheet ? clear.sheet : clear.below, pane.clientHeight / 2)
    const least = y + rowHeight + below - pane.clientHeight
    const most = y - clear.above
    const goal = slide.current?.goal ?? null
    const from = goal === null ? top.current : goal - slack.current
    if (from < least || from > most) moveTo(Math.max(0, from < least ? Math.min(least, most) : most))
  }

  // rows that open and close leave the row being read where it is, and slide from where they were
  useLayoutEffect(() => {
    const before = drawn.current
    const pane = scroller.current
    if ((before.rows === rows && before.rowHeight === rowHeight) || !pane) return
    drawn.current = { rows, places, rowHeight }
    const from = top.current
    /** the present place of a row: the first message of an opened row goes on in its place */
    const placeNow = (id: ItemId): number | undefined => {
      const row = before.rows[before.places.get(id) ?? -1]
      const first = row?.kind === 'branch' ? row.first?.id : undefined
      return places.get(id) ?? (first === undefined ? undefined : places.get(first))
    }
    const seen = (id: ItemId | null): id is ItemId => {
      const at = id === null ? undefined : before.places.get(id)
      if (id === null || at === undefined || placeNow(id) === undefined) return false
      const y = at * before.rowHeight - from
      return y + before.rowHeight > 0 && y < pane.clientHeight
    }
    const first = Math.max(0, Math.floor(from / before.rowHeight))
    const inView = before.rows.slice(first, first + Math.ceil(pane.clientHeight / before.rowHeight))
    const read = inView.findLast(({ id }) => lit.has(id) && places.has(id))?.id ?? null
    const anchor = [keep.current, tabId, selectedId, read, ...inView.map(({ id }) => id)].find(seen)
    const isKept = anchor !== undefined && anchor === keep.current
    // a click shows its selection first: the branch that it switches to is drawn after that, around the same row
    const isSwitching = switched.current !== undefined && switched.current !== model.branchId
    if (!isSwitching) keep.current = null
    if (anchor !== undefined) {
      const shift = (placeNow(anchor) ?? 0) * rowHeight - (before.places.get(anchor) ?? 0) * before.rowHeight
      const goal = slide.current?.goal ?? null
      const way = goal === null ? null : goal - slack.current - from
      slide.current?.stop()
      if (isKept) stayAt(pane, from + shift)
      else {
        pane.scrollTop = from + shift + slack.current
        top.current = pane.scrollTop - slack.current
      }
      // a move under way goes on to where it leads
      if (way !== null) moveTo(top.current + way)
    }
    if (still || before.rowHeight !== rowHeight) return
    const moved = (id: RowId): number | null => {
      const at = before.places.get(id)
      const now = places.get(id)
      if (at === undefined || now === undefined) return null
      return at * rowHeight - from - (now * rowHeight - top.current)
    }
    // the rows are there with the next frame
    requestAnimationFrame(() => slideRows(pane, moved))
  })
  useLayoutEffect(draw)

  const reader = useFollowedHead(model, selectedId, (id) => {
    // a branch that was clicked here has its row where it was
    const isKept = switched.current === model.branchId
    switched.current = undefined
    if (!isKept) show(id)
  })

  // a selection made elsewhere, such as in the thread, is shown here
  useOnChange([selectedId], () => show(selectedId))

  // a pane that is resized, or shown again, keeps the row being read in view
  const onResize = useEffectEvent(() => {
    const pane = scroller.current
    if (!pane || pane.clientHeight === 0) return
    paneHeight.current = pane.clientHeight
    if (pane.scrollTop !== top.current + slack.current) pane.scrollTop = top.current + slack.current
    draw()
    if (!reader.isElsewhere()) show(selectedId ?? headId)
  })
  // it is called before the outline is painted for the first time, and scrolls it to where it opens
  useLayoutEffect(() => {
    const pane = scroller.current
    if (!pane) return
    const observer = new ResizeObserver(() => onResize())
    // room beyond the rows is padding, which does not make the pane another size
    observer.observe(pane, { box: 'border-box' })
    return () => observer.disconnect()
  }, [])

  return {
    scroller: scroller as RefObject<HTMLDivElement | null>,
    range,
    show,
    showHead: () => {
      reader.setElsewhere(false)
      show(headId)
    },
    /** Keeps a row where it is on the screen through the next change. */
    keepInPlace(id: ItemId) {
      keep.current = id
      switched.current = undefined
    },
    /** Keeps the row of a branch where it is on the screen when the branch is read. */
    keepOnSwitch(id: RowId, branchId: BranchId) {
      keep.current = id
      switched.current = branchId
    },
    onScroll() {
      const pane = scroller.current
      // a pane that is hidden keeps its place
      if (!pane || pane.clientHeight === 0) return
      top.current = pane.scrollTop - slack.current
      const hasRoom = pane.style.paddingTop !== '' && (slide.current?.goal ?? null) === null
      if (hasRoom) stayAt(pane, top.current)
      kept.set(chatId, { headId, top: top.current })
      draw()
    },
    /** The reader scrolls. */
    onHand() {
      slide.current?.stop()
      requestAnimationFrame(() => {
        reader.setElsewhere(!isSeen(yOf(headId)))
      })
    },
  }
}

/** Rows slide from where they were, and new ones appear. */
function slideRows(pane: HTMLElement, moved: (id: RowId) => number | null): void {
  const timing = { duration: 140, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' }
  for (const row of pane.querySelectorAll<HTMLElement>('[data-item]')) {
    const by = moved(row.dataset.item ?? '')
    if (by === null) row.animate([{ opacity: 0 }, { opacity: 1 }], timing)
    else if (by !== 0 && Math.abs(by) < 2 * pane.clientHeight)
      row.animate([{ translate: `0 ${by}px` }, { translate: '0 0' }], timing)
  }
}
