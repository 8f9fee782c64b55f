'use client'

import { useId } from 'react'
import { useApp } from '@/components/app/app-context'
import { modelName } from '@/components/thread/facts'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import type { Previewed } from './use-preview'

interface ReviewedTextProps {
  label: string
  text: string
  onChange(text: string): void
  writtenBy: string | null
  failure: string | null
  onAgain(): void
}

/** A text that is stored as the person leaves it. */
export function ReviewedText({ label, text, onChange, writtenBy, failure, onAgain }: ReviewedTextProps) {
  const { models } = useApp()
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <span className="text-faint text-xs">
          {writtenBy ? `Written by ${modelName(models, writtenBy)}` : 'A digest of the messages'}. Change what
          you like.
        </span>
      </div>
      {failure && (
        <p role="status" className="flex flex-wrap items-center gap-2 text-muted text-sm">
          {failure} Here is a digest of the messages instead.
          <Button size="sm" onClick={onAgain}>
            Ask again
          </Button>
        </p>
      )}
      <textarea
        id={id}
        dir="auto"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        rows={10}
        className="min-h-40 resize-y rounded-md border border-line bg-canvas px-3 py-2 text-sm leading-relaxed outline-none focus:border-accent"
      />
    </div>
  )
}

interface PendingProps {
  previewed: Pick<Previewed<unknown>, 'problem' | 'again'>
  /** shows a digest, while the model reads; not offered where none is asked */
  onDigest: (() => void) | null
}

/** In the place of a preview that is on its way, or was refused. */
export function PendingPreview({ previewed: { problem, again }, onDigest }: PendingProps) {
  if (problem?.code === 'nothing_to_merge') return <p className="py-6 text-muted text-sm">{problem.detail}</p>
  if (problem) {
    return (
      <div role="alert" className="flex flex-col items-start gap-2 py-2 text-sm">
        <p>{problem.detail}</p>
        <Button size="sm" onClick={again}>
          Try again
        </Button>
      </div>
    )
  }
  return (
    <div role="status" aria-label="Writing a preview" className="flex flex-col gap-3">
      <div className="flex min-h-7 items-center justify-between gap-4 text-muted text-sm">
        Reading the messages …
        {onDigest && (
          <Button size="sm" onClick={onDigest}>
            Use a digest instead
          </Button>
        )}
      </div>
      <Skeleton className="h-40" />
      <Skeleton className="h-10" />
    </div>
  )
}
