'use client'

import { useId } from 'react'

interface WordsFieldProps {
  label: string
  value: string
  rows?: number
  onChange(words: string): void
}

/** Some lines of text under their label. */
export function WordsField({ label, value, rows = 3, onChange }: WordsFieldProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-muted text-xs">
        {label}
      </label>
      <textarea
        id={id}
        dir="auto"
        rows={rows}
        value={value}
        maxLength={10_000}
        onChange={(event) => onChange(event.target.value)}
        className="resize-y rounded-md border border-line bg-canvas px-3 py-2 text-sm leading-6 outline-none focus:border-accent"
      />
    </div>
  )
}
