'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { counted } from '@/lib/events/counted'
import type { FileEdit } from '@/lib/events/tool-edits'
import { changedIn, type DiffLine, diffLines } from '@/lib/graph/diff/diff-lines'

/** Lines of a diff that are shown at first, and at most. */
const [first, most] = [40, 2000]
/** A longer line is cut: no browser lays it out. */
const LONGEST = 2000

const changeWords = { edited: 'edited', written: 'written', deleted: 'deleted' }

/** Shows a change of a file: its lines before and after, with a mark and a word for those who see no colours. */
export function FileDiff({ path, change, pieces }: FileEdit) {
  const [shown, setShown] = useState(first)
  const [lines] = useState(() => linesOf(pieces))
  const { added, removed } = changedIn(lines)
  const name = `${path || 'A file'}, ${changeWords[change]}`
  const rest = Math.min(lines.length, most) - shown
  return (
    <figure
      aria-label={name}
      dir="ltr"
      className="min-w-0 overflow-hidden rounded-md border border-line text-start"
    >
      <figcaption className="flex min-h-8 items-center gap-2 bg-surface px-2 text-muted text-xs">
        {/* a long path is cut at its beginning */}
        <span dir="rtl" className="min-w-0 truncate font-mono" title={path}>
          <bdi dir="ltr">{path || 'A file'}</bdi>
        </span>
        {change !== 'edited' && <span className="shrink-0 text-faint">{changeWords[change]}</span>}
        {lines.length > 0 && (
          <span className="ml-auto shrink-0 tabular-nums">
            <span aria-hidden>
              <span className="text-accent">+{added}</span> <span className="text-danger">−{removed}</span>
            </span>
            <span className="sr-only">{`${counted(added, 'line')} added, ${removed} removed`}</span>
          </span>
        )}
      </figcaption>
      {lines.length > 0 && (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
          tabIndex={0}
          className="max-h-96 overflow-auto py-1 font-mono text-xs leading-[1.6]"
        >
          <code className="block w-max min-w-full">
            {lines.slice(0, shown).map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
              <Line key={at} line={line} />
            ))}
          </code>
        </pre>
      )}
      {rest > 0 && (
        <Button look="quiet" size="sm" onClick={() => setShown(most)}>
          Show {counted(rest, 'more line')}
        </Button>
      )}
      {shown === most && lines.length > most && (
        <p className="px-2 py-1 text-faint text-xs">
          {counted(lines.length - most, 'line')} more: the arguments have them whole.
        </p>
      )}
    </figure>
  )
}

/** The diffs of several places in a file, one below the other. */
function linesOf(pieces: FileEdit['pieces']): DiffLine[] {
  return pieces.flatMap(({ before, after }, at): DiffLine[] => {
    const lines = diffLines(before, after)
    return at === 0 ? lines : [{ kind: 'gap', count: 0 }, ...lines]
  })
}

const marks = { same: ' ', added: '+', removed: '−' }
const looks = { same: 'text-muted', added: 'bg-accent-soft text-ink', removed: 'bg-danger-soft text-ink' }

function Line({ line }: { line: DiffLine }) {
  if (line.kind === 'gap')
    return (
      <span className="block px-2 text-faint">
        {line.count > 0 ? `⋯ ${counted(line.count, 'line')} not shown` : '⋯'}
      </span>
    )
  const { kind, text } = line
  return (
    <span className={cn('block whitespace-pre px-2', looks[kind])}>
      <span aria-hidden className="inline-block w-4 select-none">
        {marks[kind]}
      </span>
      {kind !== 'same' && <span className="sr-only">{kind === 'added' ? 'Added: ' : 'Removed: '}</span>}
      {text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}
      {'\n'}
    </span>
  )
}
