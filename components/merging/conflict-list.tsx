'use client'

import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import type { MergeConflict, MergeResolution, MessageId } from '@/lib/events'

/** Conflicts that are drawn at first, and with every further press. */
const PAGE = 20

interface ConflictListProps {
  conflicts: readonly MergeConflict[]
  resolutions: Readonly<Record<string, MergeResolution>>
  onResolve(id: string, resolution: MergeResolution): void
  /** decides all that are left open */
  onResolveAll(resolution: 'source' | 'target'): void
  /** the branches, as they are shown */
  source: string
  target: string
  /** the side that counts without a choice */
  open: 'target' | 'both'
  onOpen(id: MessageId): void
}

/** Contradictions of two branches: both wordings, to choose from or to write anew. Many are shown page by page. */
export function ConflictList({ conflicts, resolutions, onResolveAll, ...props }: ConflictListProps) {
  const [shown, setShown] = useState(PAGE)
  const decided = conflicts.filter(({ id }) => resolutions[id] !== undefined).length
  const left = conflicts.length - shown
  if (conflicts.length === 0) return null
  return (
    <section aria-label="Contradictions" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
        <h3 className="font-medium">
          {conflicts.length === 1 ? 'One contradiction' : `${conflicts.length} contradictions`}
          <span className="pl-2 font-normal text-faint text-xs tabular-nums">{decided} decided</span>
        </h3>
        {conflicts.length > 1 && (
          <span className="flex gap-1">
            <Button size="sm" look="quiet" onClick={() => onResolveAll('source')}>
              Take all from there
            </Button>
            <Button size="sm" look="quiet" onClick={() => onResolveAll('target')}>
              Keep all from here
            </Button>
          </span>
        )}
      </div>
      <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
        {conflicts.slice(0, shown).map((conflict) => (
          <li key={conflict.id} className="p-3">
            <Conflict {...props} conflict={conflict} chosen={resolutions[conflict.id]} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Button size="sm" className="self-start" onClick={() => setShown(shown + 5 * PAGE)}>
          Show {Math.min(left, 5 * PAGE)} more of {left}
        </Button>
      )}
    </section>
  )
}

interface ConflictProps extends Omit<ConflictListProps, 'conflicts' | 'resolutions' | 'onResolveAll'> {
  conflict: MergeConflict
  chosen: MergeResolution | undefined
}

function Conflict({ conflict, chosen, onResolve, source, target, open, onOpen }: ConflictProps) {
  const name = useId()
  const { id, about } = conflict
  const written = typeof chosen === 'object' ? chosen.text : null
  const pick = (resolution: MergeResolution) => () => onResolve(id, resolution)
  const wordings = [
    { which: 'target', text: conflict.target, on: target, messageId: conflict.targetMessageId },
    { which: 'source', text: conflict.source, on: source, messageId: conflict.sourceMessageId },
  ] as const
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="pb-2 font-medium text-sm">{about}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {wordings.map(({ which, text, on, messageId }) => (
          <div key={which} className="flex min-w-0 flex-col">
            <label
              className={cn(
                'flex min-h-11 flex-1 cursor-pointer gap-2 rounded-md border p-2 text-sm hover:border-line-strong',
                chosen === which ? 'border-accent bg-accent-soft' : 'border-line',
              )}
            >
              <input
                type="radio"
                name={name}
                checked={chosen === which}
                onChange={pick(which)}
                className="mt-1 shrink-0 accent-(--accent)"
              />
              <span className="min-w-0 flex-1">
                <span className="block text-faint text-xs">
                  {which === 'target' ? 'Here, on ' : 'There, on '}
                  <bdi>{on}</bdi>
                  {chosen === undefined &&
                    open === 'target' &&
                    which === 'target' &&
                    ' · stays unless you choose'}
                </span>
                <span dir="auto" className="line-clamp-6 whitespace-pre-wrap">
                  {text ?? <span className="text-faint">nothing</span>}
                </span>
              </span>
            </label>
            {messageId !== undefined && (
              <Button size="sm" look="quiet" className="self-start" onClick={() => onOpen(messageId)}>
                Show the message
              </Button>
            )}
          </div>
        ))}
      </div>
      <label
        className={cn(
          'flex items-center gap-2 rounded-md border px-2 text-sm',
          written !== null ? 'border-accent bg-accent-soft' : 'border-line',
        )}
      >
        <input
          type="radio"
          name={name}
          checked={written !== null}
          onChange={pick({ text: written ?? '' })}
          aria-label="In other words"
          className="shrink-0 accent-(--accent)"
        />
        <input
          type="text"
          dir="auto"
          value={written ?? ''}
          placeholder="Say it in other words"
          aria-label={`${about}, in other words`}
          onChange={(event) => onResolve(id, { text: event.target.value })}
          className="h-9 min-w-0 flex-1 bg-transparent outline-none touch:h-11"
        />
      </label>
    </fieldset>
  )
}
