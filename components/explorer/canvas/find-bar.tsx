'use client'

import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect } from 'react'
import { findInGraph } from '@/components/actions/on-graph'
import { IconButton } from '@/components/ui/button'
import type { Find } from './use-find'

interface FindBarProps {
  find: Find
  onStep(by: 1 | -1): void
  onClose(): void
}

const steps = [
  { by: -1, label: 'Previous hit', hint: 'Shift Enter', Icon: ChevronUp },
  { by: 1, label: 'Next hit', hint: 'Enter', Icon: ChevronDown },
] as const

/** The words to find in the drawing, the number of hits, and the steps between them. */
export function FindBar({ find, onStep, onClose }: FindBarProps) {
  const { words, count, at, field } = find
  useEffect(() => field.current?.focus({ preventScroll: true }), [field])
  const found = countWords(words ?? '', count, at)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) onStep(event.shiftKey ? -1 : 1)
    else if (event.key === 'ArrowDown') onStep(1)
    else if (event.key === 'ArrowUp') onStep(-1)
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not known to every browser this runs in
    <div
      role="search"
      aria-label="Graph"
      onKeyDown={onKeyDown}
      className="arrive absolute inset-x-3 top-2 z-20 mx-auto flex h-9 max-w-lg items-center gap-1 rounded-lg border bg-raised pr-1 pl-3 text-sm shadow-float focus-within:border-line-strong touch:h-13"
    >
      <Search size={14} aria-hidden className="shrink-0 text-faint" />
      <input
        type="search"
        dir="auto"
        aria-label={findInGraph.label}
        placeholder={findInGraph.label}
        maxLength={200}
        value={words ?? ''}
        ref={field}
        onChange={(event) => find.type(event.target.value)}
        className="h-full min-w-0 flex-1 bg-transparent px-1 outline-none placeholder:text-faint touch:text-base [&::-webkit-search-cancel-button]:hidden"
      />
      <span aria-hidden className="shrink-0 text-faint text-xs tabular-nums">
        {found}
      </span>
      <span role="status" className="sr-only">
        {found}
      </span>
      {steps.map(({ by, ...step }) => (
        <IconButton key={by} size="tool" {...step} disabled={count === 0} onClick={() => onStep(by)} />
      ))}
      <IconButton label="Close" hint="Esc" size="tool" Icon={X} onClick={onClose} />
    </div>
  )
}

function countWords(words: string, count: number, at: number): string {
  if (words.trim() === '') return ''
  if (count === 0) return 'Nothing found'
  return at < 0 ? `${count} found` : `${at + 1} of ${count}`
}
