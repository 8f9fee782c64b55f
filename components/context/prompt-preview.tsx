'use client'

import { ChevronDown, ChevronUp } from 'lucide-react'
import { memo } from 'react'
import { LongText } from '@/components/thread/parts/raw-value'
import { Button } from '@/components/ui/button'
import { Segmented } from '@/components/ui/segmented'
import type { Edit, Parts } from './parts'
import { previewOf } from './preview'

interface PromptPreviewProps {
  parts: Parts
  open: boolean
  onOpen(open: boolean): void
  onEdit(edit: Edit): void
}

const formats = [
  { value: 'xml', label: 'XML' },
  { value: 'markdown', label: 'Markdown' },
  { value: 'toml', label: 'TOML' },
  { value: 'toon', label: 'TOON' },
] as const

/** The format of the system prompt, and the prompt as the model will read it. */
export const PromptPreview = memo(function PromptPreview({
  parts,
  open,
  onOpen,
  onEdit,
}: PromptPreviewProps) {
  const { text, tokens, problem } = previewOf(parts)
  const Chevron = open ? ChevronDown : ChevronUp
  return (
    <section
      aria-label="What the model reads"
      className="flex min-h-0 shrink-0 flex-col border-line border-t"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5">
        <Button look="quiet" size="sm" aria-expanded={open} className="-ml-2" onClick={() => onOpen(!open)}>
          <Chevron size={14} aria-hidden /> Preview
        </Button>
        <span className="flex-1 whitespace-nowrap text-faint text-xs tabular-nums">
          about {tokens.toLocaleString('en')} tokens
        </span>
        <Segmented
          label="Format"
          value={parts.renderer}
          options={formats}
          onChange={(renderer) => onEdit({ type: 'parts', parts: { renderer } })}
        />
      </div>
      {open &&
        (problem === null ? (
          <figure aria-label="Preview of the system prompt" className="min-h-0">
            <LongText className="max-h-[min(15rem,28dvh)] px-4 pb-3" text={text || 'There is none.'} />
          </figure>
        ) : (
          <p role="alert" className="px-4 pb-3 text-danger text-sm">
            {problem}
          </p>
        ))}
    </section>
  )
})
