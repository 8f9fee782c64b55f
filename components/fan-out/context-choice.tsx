'use client'

import type { Problem } from '@/lib/protocol'
import type { ContextTarget } from './use-context-choices'

interface ContextChoiceProps {
  contexts: readonly ContextTarget[]
  /** why some are not there */
  problem: Problem | null
  /** ids of the chosen contexts */
  chosen: readonly string[]
  onChange(chosen: readonly string[]): void
}

/** The contexts in which the models are asked. */
export const ContextChoice = ({ contexts, problem, chosen, onChange }: ContextChoiceProps) => (
  <ul aria-label="Contexts" className="mt-2 min-h-0 flex-1 overflow-y-auto overscroll-contain px-3">
    {problem && (
      <li role="alert" className="px-2 py-1 text-danger text-sm">
        {problem.detail}
      </li>
    )}
    {contexts.map(({ id, name, about }) => (
      <li key={id}>
        <label className="flex min-h-12 items-center gap-3 rounded-md px-2 hover:bg-ink/4">
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
            }
            className="size-4 shrink-0 accent-(--accent)"
          />
          <span className="min-w-0 flex-1">
            <bdi className="block truncate text-sm">{name}</bdi>
            <bdi className="block truncate text-muted text-xs">{about}</bdi>
          </span>
        </label>
      </li>
    ))}
  </ul>
)
