'use client'

import { useReactFlow, useStore, useStoreApi, type Viewport } from '@xyflow/react'
import { useLayoutEffect, useRef } from 'react'
import { useMediaQuery } from '@/components/ui/use-media-query'
import { useOnChange } from '@/components/ui/use-on-change'
import type { MessageId } from '@/lib/events'
import type { ItemId, Place } from '@/lib/graph'
import { fitView, labelBox, type WordMap, wholeBox } from '../labels/words-at'
import {
  around,
  type Box,
  hitBox,
  isInView,
  isWithin,
  type Metrics,
  onScreen,
  reveal,
  zoomRangeOf,
} from '../model/geometry'
import { type GraphModel, itemAt } from '../model/graph-model'
import { useFollowedHead } from './use-followed-head'

/** A pane that grows by less keeps its view. */
const slight = 64

/**
 * Moves over the drawing, and follows the head while the reader has not gone elsewhere.
 *
 * @param tabId the item that has the focus, or would get it
 */
export function useViewport(
  model: GraphModel,
  selectedId: MessageId | null,
  tabId: ItemId | null,
  metrics: Metrics,
  words: WordMap,
) {
  const { index, map, headId } = model
  const flow = useReactFlow()
  const store = useStoreApi()
  const still = useMediaQuery('(prefers-reduced-motion: reduce)')
  /** Content of the view: until the reader moves it, it is laid out again as the graph or the pane changes. */
  const shows = useRef<'all' | 'chosen'>('all')
  const anchor = useRef<{ id: ItemId; box: Box } | null>(null)
  const drawnBefore = useRef({ model, metrics })
  /** the view before the move that the reader makes; null for one of the wheel, which tells none */
  const movesFrom = useRef<Viewport | null>(null)
  /** the zoom at the end of a move that is under way */
  const headsFor = useRef<number | null>(null)

  const paneSize = () => {
    const { width, height } = store.getState()
    return { width, height }
  }
  const boxOf = (id: ItemId | null): Box | undefined => {
    const item = id === null ? undefined : itemAt(model, id)
    return item && boxAt(map.places.get(item.id))
  }
  const boxAt = (place: Place | undefined, then = metrics) => place && hitBox(place, then, words.zoom)
  /** An item with its labels. */
  const withLabels = (id: ItemId | null) => {
    const box = boxOf(id)
    const label = id === null ? undefined : labelBox(words, id)
    return box && label ? around(box, label) : box
  }
  const moveTo = (next: Viewport) => {
    const { x, y, zoom } = flow.getViewport()
    if (x === next.x && y === next.y && zoom === next.zoom) return
    headsFor.current = next.zoom
    // React Flow's smooth move zooms out and in again, and a second move meanwhile would keep that zoom;
    // a hidden pane jumps
    const jumps = still || !store.getState().domNode?.checkVisibility()
    void flow.setViewport(next, { duration: jumps ? 0 : 150, interpolate: 'linear' }).then(() => {
      if (headsFor.current === next.zoom) headsFor.current = null
    })
  }
  /** Brings an item into view with its labels: a map that is shown whole and has left the pane is shown whole again. */
  const show = (id: ItemId | null) => {
    const box = withLabels(id)
    if (!box) return
    const size = paneSize()
    const now = flow.getViewport()
    const next = reveal(box, now, size)
    const leaves = shows.current === 'all' && (next.x !== now.x || next.y !== now.y)
    moveTo(leaves ? reveal(box, fitView(model, metrics, size), size) : next)
  }
  const layOut = () => {
    if (shows.current === 'all') moveTo(fitView(model, metrics, paneSize()))
  }

  /** An item of the drawing before that is in view and still there: the focused item, or else the first found. */
  const seenBefore = (before: { model: GraphModel; metrics: Metrics }) => {
    const {
      drawn,
      map: { places },
    } = before.model
    if (drawn === model.drawn && before.metrics === metrics) return null
    const viewport = flow.getViewport()
    const size = paneSize()
    const seen = (id: ItemId | null) => {
      const box = id === null ? undefined : boxAt(places.get(id), before.metrics)
      return id !== null && box && boxOf(id) && isInView(box, viewport, size) ? { id, box } : null
    }
    for (const id of [tabId, selectedId, headId, ...drawn.items.map((item) => item.id)]) {
      const item = seen(id)
      if (item) return item
    }
    return null
  }

  // a row that opens, folding and unfolding keep the item in view where it is on the screen
  useLayoutEffect(() => {
    const isFolding = anchor.current !== null
    const before = drawnBefore.current
    const kept = anchor.current ?? seenBefore(before)
    anchor.current = null
    drawnBefore.current = { model, metrics }
    const now = kept && boxOf(kept.id)
    if (!kept || !now) return
    const { x, y, zoom } = flow.getViewport()
    const next = { zoom, x: x + (kept.box.x - now.x) * zoom, y: y + (kept.box.y - now.y) * zoom }
    // a map that is shown whole stays whole as it grows; in the past every place is known before
    if (shows.current === 'all' && !isFolding && !model.past && before.model.map !== map) {
      const size = paneSize()
      const whole = onScreen(wholeBox(model, words, metrics), next)
      if (!isWithin(whole, { x: 0, y: 0, ...size })) return moveTo(fitView(model, metrics, size))
    }
    // a move under way goes on where nothing has to be corrected
    if (next.x !== x || next.y !== y) void flow.setViewport(next)
  })

  const reader = useFollowedHead(model, selectedId, show)

  // a pane of another size has a map of its measures, which is shown whole; a view that the reader chose keeps the
  // message being read in sight
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  const laidOut = useRef({ width, height, metrics })
  useOnChange([width, height, metrics], () => {
    const before = laidOut.current
    const isMeasured = before.metrics === metrics
    const isSame = before.width === width && before.height === height && isMeasured
    if (width === 0 || height === 0 || isSame) return
    // a pane that grows by a line is no reason to move what the reader looks at
    const grew = isMeasured && width >= before.width && height >= before.height
    if (grew && width - before.width < slight && height - before.height < slight && before.width > 0) return
    laidOut.current = { width, height, metrics }
    if (shows.current !== 'chosen') layOut()
    else if (!reader.isElsewhere()) show(selectedId ?? headId)
  })

  // a new checkpoint's flag is brought into view
  const { checkpoints } = index.graph
  const flagged = useRef(checkpoints)
  useOnChange([checkpoints], () => {
    const before = new Set(flagged.current.map(({ id }) => id))
    flagged.current = checkpoints
    const fresh = model.past ? undefined : checkpoints.find(({ id }) => !before.has(id))
    if (fresh && itemAt(model, fresh.messageId)?.id === fresh.messageId) show(fresh.messageId)
  })

  // a selection made elsewhere, such as in the thread, is shown here
  useOnChange([selectedId], () => show(selectedId))

  /** Zooms around the selection, or else the head, while it is in view; otherwise around the middle. */
  const zoomTo = (to: number) => {
    shows.current = 'chosen'
    const before = flow.getViewport()
    const size = paneSize()
    const box = boxOf(selectedId) ?? boxOf(headId)
    const at = box && isInView(box, before, size) ? onScreen(box, before) : { x: 0, y: 0, ...size }
    const middle = { x: at.x + at.width / 2, y: at.y + at.height / 2 }
    const { min, max } = zoomRangeOf(metrics)
    const zoom = Math.min(max, Math.max(min, to))
    const scale = zoom / before.zoom
    const next = {
      zoom,
      x: middle.x - (middle.x - before.x) * scale,
      y: middle.y - (middle.y - before.y) * scale,
    }
    moveTo(box && isInView(box, before, size) ? reveal(box, next, size) : next)
  }

  return {
    boxOf,
    withLabels,
    show,
    /** Keeps a message where it is on the screen through the next change. */
    keepInPlace(id: MessageId) {
      const box = boxOf(id)
      if (box) anchor.current = { id, box }
    },
    showHead: () => {
      reader.setElsewhere(false)
      show(headId)
    },
    fit: () => {
      reader.setElsewhere(false)
      shows.current = 'all'
      layOut()
    },
    zoomTo,
    /** A second press during a move continues from its end. */
    zoomBy: (factor: number) => zoomTo((headsFor.current ?? flow.getViewport().zoom) * factor),
    /** For React Flow's `onMoveStart` and `onMoveEnd`; moves made by code come without an event. */
    onMoveStart: (event: MouseEvent | TouchEvent | null, viewport: Viewport) => {
      if (event) movesFrom.current = event.type === 'wheel' ? null : viewport
    },
    onMoveEnd: (event: MouseEvent | TouchEvent | null, viewport: Viewport) => {
      const from = movesFrom.current
      // a click ends a move too
      const isClick = from?.x === viewport.x && from.y === viewport.y && from.zoom === viewport.zoom
      if (!event || isClick) return
      shows.current = 'chosen'
      headsFor.current = null
      const head = boxOf(headId)
      if (head) reader.setElsewhere(!isInView(head, viewport, paneSize()))
    },
  }
}
