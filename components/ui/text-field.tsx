'use client'

import { useId } from 'react'

interface TextFieldProps {
  label: string
  value: string
  onChange(value: string): void
  maxLength: number
}

/** One line of text, selected when it appears. */
export function TextField({ label, value, onChange, maxLength }: TextFieldProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-muted text-xs">
        {label}
      </label>
      <input
        id={id}
        dir="auto"
        value={value}
        maxLength={maxLength}
        autoComplete="off"
        ref={selectAll}
        onChange={(event) => onChange(event.target.value)}
        className="h-9 rounded-md border border-line bg-canvas px-3 outline-none focus:border-accent"
      />
    </div>
  )
}

const selectAll = (input: HTMLInputElement | null) => {
  input?.focus()
  input?.select()
}
