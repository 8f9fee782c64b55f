'use client'

import { useId, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { newId } from '@/lib/events'
import type { ContextFragmentJson } from '@/lib/protocol'
import { type Edit, instructionsIn } from './parts'

/** The kinds of a new chat's fragments, in order; the box does not mention them. */
const usual = 'role hint'

interface InstructionsBoxProps {
  fragments: readonly ContextFragmentJson[]
  onEdit(edit: Edit): void
}

/** The instructions for the model as one text: a fragment that comes with the first word and goes with the last. */
export function InstructionsBox({ fragments, onEdit }: InstructionsBoxProps) {
  const aboutId = useId()
  // while it is being written the box stays with its fragment, whatever other one there is
  const [writtenId, setWrittenId] = useState<string | null>(null)
  const shown = writtenId === null ? instructionsIn(fragments) : fragments.find(({ id }) => id === writtenId)
  const others = fragments.filter((fragment) => fragment.enabled && fragment !== shown)
  const isUsual = others.map(({ name }) => name).join(' ') === usual
  return (
    <div className="flex flex-col gap-1.5 px-4 pt-4 pb-3">
      <InstructionsField
        aboutId={aboutId}
        value={typeof shown?.data === 'string' ? shown.data : ''}
        onFocus={() => setWrittenId(shown?.id ?? newId())}
        onBlur={() => setWrittenId(null)}
        onChange={(text) => {
          const id = writtenId ?? shown?.id ?? newId()
          setWrittenId(id)
          onEdit({ type: 'instructions', id, text })
        }}
      />
      <p id={aboutId} className="text-faint text-xs">
        The model reads this before every reply on this branch.
        {others.length > 0 && !isUsual && ` It also reads ${partsIn(others.length)} under Advanced.`}
      </p>
    </div>
  )
}

const partsIn = (count: number): string => (count === 1 ? 'one more part' : `${count} more parts`)

interface InstructionsFieldProps {
  value: string
  /** the id of the sentence about it */
  aboutId: string
  maxLength?: number
  onChange(text: string): void
  onFocus?(): void
  onBlur?(): void
}

/** A plain text of any length, on as many lines as it needs. */
export const InstructionsField = ({ value, aboutId, onChange, ...rest }: InstructionsFieldProps) => (
  <textarea
    {...rest}
    aria-label="Instructions"
    aria-describedby={aboutId}
    dir="auto"
    rows={5}
    value={value}
    placeholder="How should it answer, and what should it know? For example: Answer briefly. I live in Lisbon and eat no meat."
    onChange={(event) => onChange(event.target.value)}
    className={cn(
      'field-sizing-content max-h-[45dvh] min-h-32 w-full resize-none rounded-md border border-line bg-raised px-3 py-2.5',
      'text-sm leading-relaxed outline-none hover:border-line-strong focus:border-accent touch:text-base',
    )}
  />
)
