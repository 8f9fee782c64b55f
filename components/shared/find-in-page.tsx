'use client'

import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { createApi, getJson } from '@/components/app/api'
import { problemOf, unreached } from '@/components/app/problem'
import { IconButton } from '@/components/ui/button'
import { useOnChange } from '@/components/ui/use-on-change'
import type { BranchId } from '@/lib/events'
import { placesOf } from '@/lib/events/search-letters'
import type { SharedFinds, SharedHit } from '@/lib/protocol'
import { messageAnchor, sharedPath } from './shared-path'

interface FindInPageProps {
  token: string
  signedIn: boolean
  /** the branch that is read; null for a link without the graph */
  branchId: BranchId | null
  /** names the messages of the page: another name, other messages */
  page: string
  /** the element that holds the messages */
  within: RefObject<HTMLElement | null>
  /** a hit is gone to */
  onRead(): void
  onClose(): void
}

/** Hits that are marked on a page at most. */
const most = 2_000
/** Time that the words stay as they are before they are looked for, in ms. */
const PAUSE = 200
const longest = 200
const [all, current] = ['found', 'found-here']
/** The build does not know this kind of rule yet, and would warn of it in a file. */
const looks = `
::highlight(${all}) { background-color: var(--warn-soft); text-decoration: underline 1px var(--warn); }
::highlight(${current}) { background-color: var(--accent); color: var(--on-accent); }`

/** Messages that hold the words, which of them is read, and the how manieth place in it; -1 is the last. */
type Found = SharedFinds & { words: string; at: number | null; nth: number }

/**
 * Finds words in all that a link opens, and marks those on the page. The server says which messages hold them; a hit on
 * another part or branch is gone to. The marks change nothing in the page (CSS highlights).
 */
export function FindInPage({ token, signedIn, branchId, page, within, onRead, onClose }: FindInPageProps) {
  const router = useRouter()
  const [words, setWords] = useState('')
  const [found, setFound] = useState<Found | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  /** Enter was pressed before the answer came */
  const wantsHit = useRef(false)
  const wanted = words.trim()

  /** Reads a hit: on the page, or on the part that holds it. */
  const go = (to: Found) => {
    setFound(to)
    onRead()
    const hit = to.at === null ? undefined : to.hits[to.at]
    if (hit && !elementOf(hit, within.current)) router.push(pathOf(token, hit))
  }
  const step = (by: 1 | -1) => {
    if (!found || found.words !== wanted) {
      wantsHit.current = true
      return
    }
    const { hits, at, nth } = found
    if (hits.length === 0) return
    const hit = at === null ? undefined : hits[at]
    const places = hit ? rangesIn(hit, within.current, wanted).length : 0
    const here = nth === -1 ? places - 1 : nth
    if (at !== null && here + by >= 0 && here + by < places) return go({ ...found, nth: here + by })
    const next = at === null ? nextAfter(hits, within.current, by) : (at + by + hits.length) % hits.length
    go({ ...found, at: next, nth: by === 1 ? 0 : -1 })
  }

  useOnChange([wanted, token, signedIn], () => {
    setFailure(null)
    if (wanted === '') return setFound(null)
    const leaving = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const api = createApi({ signedIn, onSignIn: () => undefined })
        const asked = new URLSearchParams({ words: wanted, ...(branchId !== null && { branch: branchId }) })
        const { hits, more } = await getJson<SharedFinds>(api, `/s/${token}/find?${asked}`, leaving.signal)
        if (leaving.signal.aborted) return
        const seen = hits.findIndex((hit) => elementOf(hit, within.current))
        const answer = { hits, more, words: wanted, at: seen === -1 ? null : seen, nth: 0 }
        if (wantsHit.current && seen === -1 && hits.length > 0)
          go({ ...answer, at: nextAfter(hits, within.current, 1) })
        else setFound(answer)
      } catch (error) {
        if (!leaving.signal.aborted) setFailure(problemOf(error, unreached).detail)
      }
      wantsHit.current = false
    }, PAUSE)
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  })

  useOnChange([found, page, within], () => {
    const hit = found && found.at !== null ? found.hits[found.at] : undefined
    show(within.current, found?.words ?? '', hit, found?.nth ?? 0)
  })

  useEffect(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(looks)
    document.adoptedStyleSheets.push(sheet)
    return () => {
      show(null, '', undefined, 0)
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    }
  }, [])

  return (
    <search className="flex shrink-0 flex-col border-line border-b bg-surface">
      <div className="flex h-11 items-center gap-1 px-2 touch:h-14">
        <input
          // biome-ignore lint/a11y/noAutofocus: it was opened to type in
          autoFocus
          type="search"
          dir="auto"
          aria-label="Find in this chat"
          placeholder="Find in this chat"
          maxLength={longest}
          value={words}
          onChange={(event) => {
            wantsHit.current = false
            setWords(event.target.value)
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Escape') onClose()
            if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
          }}
          className="h-8 min-w-0 flex-1 rounded-md border border-line bg-canvas px-3 text-sm outline-none focus:border-accent touch:h-11 touch:text-base"
        />
        <p role="status" className="min-w-16 whitespace-nowrap text-center text-muted text-sm tabular-nums">
          {wanted === '' || failure !== null ? '' : <Standing found={found} wanted={wanted} />}
        </p>
        <IconButton label="Previous hit" size="tool" Icon={ChevronUp} onClick={() => step(-1)} />
        <IconButton label="Next hit" size="tool" Icon={ChevronDown} onClick={() => step(1)} />
        <IconButton label="Close find" size="tool" Icon={X} onClick={onClose} />
      </div>
      {failure !== null && (
        <p role="alert" className="px-3 pb-2 text-danger text-sm">
          {failure}
        </p>
      )}
    </search>
  )
}

/** The hit that is read, and the number of hits. */
function Standing({ found, wanted }: { found: Found | null; wanted: string }) {
  if (!found || found.words !== wanted) return 'Looking…'
  const { hits, more, at } = found
  if (hits.length === 0) return 'Not found'
  const count = `${hits.length}${more ? '+' : ''}`
  return (
    <>
      {at === null ? count : `${at + 1} / ${count}`}
      <span className="max-sm:sr-only"> {hits.length === 1 && !more ? 'message' : 'messages'}</span>
    </>
  )
}

const pathOf = (token: string, { id, part, branchId }: SharedHit) =>
  branchId === null
    ? sharedPath(token, { part, anchor: id })
    : sharedPath(token, { branch: branchId, at: id })

const elementOf = ({ id }: SharedHit, within: HTMLElement | null): Element | null =>
  within?.querySelector(`#${CSS.escape(messageAnchor(id))}`) ?? null

/** The places of the words in the message of a hit, where it is on the page. */
const rangesIn = (hit: SharedHit, within: HTMLElement | null, words: string): Range[] =>
  rangesOf(elementOf(hit, within), words)

/** The first hit behind the page, or the last before it; around the end where there is none. */
function nextAfter(hits: readonly SharedHit[], within: HTMLElement | null, by: 1 | -1): number {
  const part = Number(within?.querySelector<HTMLElement>('#shared-thread')?.dataset.part ?? 1)
  const isBehind = (hit: SharedHit) => (by === 1 ? hit.part > part : hit.part < part)
  const at = by === 1 ? hits.findIndex(isBehind) : hits.findLastIndex(isBehind)
  return at === -1 ? (by === 1 ? 0 : hits.length - 1) : at
}

/** The places of some words in what an element says, whatever the case of their letters and the marks on them. */
function rangesOf(element: Element | null, words: string): Range[] {
  if (!element || words === '') return []
  const ranges: Range[] = []
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node && ranges.length < most; node = texts.nextNode()) {
    for (const { from, to } of placesOf(node.textContent ?? '', words)) {
      const range = new Range()
      range.setStart(node, from)
      range.setEnd(node, to)
      ranges.push(range)
    }
  }
  return ranges
}

/** Marks every place on the page, and brings one of a hit into view: the message itself where its words stand apart. */
function show(within: HTMLElement | null, words: string, hit: SharedHit | undefined, nth: number): void {
  const message = hit && elementOf(hit, within)
  const places = message ? rangesOf(message, words) : []
  const here = nth === -1 ? places.at(-1) : (places[nth] ?? places[0])
  // older browsers find without marks
  if ('highlights' in CSS) {
    const thread = within?.querySelector('#shared-thread') ?? null
    CSS.highlights.set(all, new Highlight(...rangesOf(thread, words)))
    CSS.highlights.set(current, new Highlight(...(here ? [here] : [])))
  }
  const target = here?.startContainer.parentElement ?? message
  target?.scrollIntoView({ block: here ? 'center' : 'start' })
}
