'use client'

import { Button } from '@/components/ui/button'
import type { Problem } from '@/lib/protocol'
import type { Held } from './held'

interface StatusBarProps {
  held: Held
  saving: boolean
  problem: Problem | null
  onUndo(): void
  onAgain(): void
  onDiscard(): void
  onCompare(): void
}

/** Says that the last change is in force, or why not, and takes it back. Its words are read out as they change. */
export function StatusBar({ held, saving, problem, onUndo, onAgain, onDiscard, onCompare }: StatusBarProps) {
  const { draft, theirs, last, saved } = held
  const done = saved ? 'In force from your next message.' : ''
  const words = theirs
    ? 'Not in force yet: this was changed elsewhere while you were editing.'
    : problem
      ? `Not in force yet. ${problem.detail}`
      : [last?.words, saving ? 'Saving…' : done].filter(Boolean).join(' ')
  const waits = draft !== null && (problem !== null || theirs !== null)
  return (
    <div
      className={
        words === '' && !last
          ? 'sr-only'
          : 'flex min-h-11 shrink-0 flex-wrap items-center gap-2 border-line border-t px-4 py-1.5 text-sm'
      }
    >
      <p
        role={problem ? 'alert' : 'status'}
        className={`min-w-0 flex-1 ${problem ? 'text-danger' : 'text-muted'}`}
      >
        {words}
      </p>
      {waits ? (
        <>
          <Button look="quiet" size="sm" onClick={onDiscard}>
            Discard
          </Button>
          <Button look="primary" size="sm" onClick={theirs ? onCompare : onAgain}>
            {theirs ? 'Compare both' : 'Try again'}
          </Button>
        </>
      ) : (
        last && (
          <Button size="sm" className="touch:px-4" onClick={onUndo}>
            Undo
          </Button>
        )
      )}
    </div>
  )
}
