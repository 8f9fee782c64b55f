'use client'

import { Button } from '@/components/ui/button'
import type { Problem } from '@/lib/protocol'
import type { Held } from './held'

interface SaveBarProps {
  held: Held
  saving: boolean
  problem: Problem | null
  /** why the draft cannot be saved as it is */
  unfit: string | null
  onSave(): void
  onDiscard(): void
  onUndo(): void
  onCompare(): void
}

/** What the draft's state is, and what can be done with it. Its words are read out as they change. */
export function SaveBar({
  held,
  saving,
  problem,
  unfit,
  onSave,
  onDiscard,
  onUndo,
  onCompare,
}: SaveBarProps) {
  const { draft, theirs, undo, saved } = held
  const words =
    problem?.detail ??
    (draft && unfit) ??
    (theirs
      ? 'Changed elsewhere while you were editing.'
      : (undo?.words ?? (draft ? 'Unsaved changes' : saved ? 'In force from your next message.' : '')))
  const isQuiet = words === '' && !draft
  return (
    <div
      className={
        isQuiet
          ? 'sr-only'
          : 'flex min-h-12 shrink-0 flex-wrap items-center gap-2 border-line border-t bg-surface px-4 py-2 text-sm'
      }
    >
      <p
        role={problem ? 'alert' : 'status'}
        className={problem || (draft && unfit) ? 'min-w-0 flex-1 text-danger' : 'min-w-0 flex-1 text-muted'}
      >
        {words}
      </p>
      {undo && (
        <Button size="sm" className="touch:h-11 touch:px-4" onClick={onUndo}>
          Undo
        </Button>
      )}
      {draft && (
        <>
          <Button look="quiet" size="sm" className="touch:h-11" onClick={onDiscard}>
            Discard
          </Button>
          {theirs ? (
            <Button look="primary" size="sm" className="touch:h-11" onClick={onCompare}>
              Compare both
            </Button>
          ) : (
            <Button
              look="primary"
              size="sm"
              disabled={saving || unfit !== null}
              title="Ctrl/⌘ S"
              className="touch:h-11"
              onClick={onSave}
            >
              {saving ? 'Saving…' : 'Save for next turn'}
            </Button>
          )}
        </>
      )}
    </div>
  )
}
