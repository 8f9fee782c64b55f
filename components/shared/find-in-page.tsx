'use client'

import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { IconButton } from '@/components/ui/button'

interface FindInPageProps {
  /** what is searched */
  within: RefObject<HTMLElement | null>
  onClose(): void
}

/** Hits that are marked at most. */
const most = 2_000
const [all, current] = ['found', 'found-here']
/** The build does not know this kind of rule yet, and would warn of it in a file. */
const looks = `
::highlight(${all}) { background-color: var(--warn-soft); text-decoration: underline 1px var(--warn); }
::highlight(${current}) { background-color: var(--accent); color: var(--on-accent); }`

/** Finds words in the messages on the page, and marks them. The marks change nothing in it (CSS highlights). */
export function FindInPage({ within, onClose }: FindInPageProps) {
  const [words, setWords] = useState('')
  const [hits, setHits] = useState<Range[]>([])
  const [at, setAt] = useState(0)

  const find = (wanted: string) => {
    setWords(wanted)
    const found = hitsOf(within.current?.querySelector('#shared-thread') ?? null, wanted.trim())
    setHits(found)
    setAt(0)
    show(found, 0)
  }
  const step = (by: 1 | -1) => {
    if (hits.length === 0) return
    const next = (at + by + hits.length) % hits.length
    setAt(next)
    show(hits, next)
  }
  useEffect(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(looks)
    document.adoptedStyleSheets.push(sheet)
    return () => {
      show([], 0)
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    }
  }, [])

  return (
    <search className="flex h-11 shrink-0 items-center gap-1 border-line border-b bg-surface px-2 touch:h-14">
      <input
        // biome-ignore lint/a11y/noAutofocus: it was opened to type in
        autoFocus
        type="search"
        aria-label="Find in this chat"
        placeholder="Find in this chat"
        value={words}
        onChange={(event) => find(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
        }}
        className="h-8 min-w-0 flex-1 rounded-md border border-line bg-canvas px-3 text-sm outline-none focus:border-accent touch:h-11 touch:text-base"
      />
      <p role="status" className="min-w-16 text-center text-muted text-sm tabular-nums">
        {words.trim() === '' ? '' : hits.length === 0 ? 'Not found' : `${at + 1} / ${hits.length}`}
      </p>
      <IconButton label="Previous hit" size="tool" Icon={ChevronUp} onClick={() => step(-1)} />
      <IconButton label="Next hit" size="tool" Icon={ChevronDown} onClick={() => step(1)} />
      <IconButton label="Close find" size="tool" Icon={X} onClick={onClose} />
    </search>
  )
}

/** The places of some words in what an element says, whatever the case of their letters. */
function hitsOf(element: Element | null, words: string): Range[] {
  if (!element || words === '') return []
  const wanted = words.toLowerCase()
  const hits: Range[] = []
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node && hits.length < most; node = texts.nextNode()) {
    const text = (node.textContent ?? '').toLowerCase()
    // a letter that is longer in lower case would move the places behind it
    if (text.length !== node.textContent?.length) continue
    for (let place = text.indexOf(wanted); place >= 0; place = text.indexOf(wanted, place + wanted.length)) {
      const range = new Range()
      range.setStart(node, place)
      range.setEnd(node, place + wanted.length)
      hits.push(range)
    }
  }
  return hits
}

function show(hits: readonly Range[], at: number): void {
  const here = hits[at]
  // older browsers find without marks
  if ('highlights' in CSS) {
    CSS.highlights.set(all, new Highlight(...hits))
    CSS.highlights.set(current, new Highlight(...(here ? [here] : [])))
  }
  here?.startContainer.parentElement?.scrollIntoView({ block: 'center' })
}
