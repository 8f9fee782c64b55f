'use client'

import { useId } from 'react'

interface FieldProps {
  label: string
  note?: string
  type: 'text' | 'url' | 'password'
  /** characters at most */
  most?: number
  value: string
  onChange(value: string): void
  /** takes the focus when the form opens */
  first: boolean
}

/** A line of a settings form. */
export function Field({ label, note, type, value, onChange, first, most = 500 }: FieldProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-muted text-xs">
        {label}
      </label>
      <input
        id={id}
        type={type}
        dir="ltr"
        value={value}
        maxLength={most}
        // a browser must not keep it, nor offer the password of the account
        autoComplete={type === 'password' ? 'new-password' : 'off'}
        spellCheck={false}
        aria-describedby={note ? `${id}-note` : undefined}
        ref={first ? takeFocus : undefined}
        onChange={(event) => onChange(event.target.value)}
        className="h-9 rounded-md border border-line bg-canvas px-3 font-mono text-sm outline-none focus:border-accent touch:h-11 touch:text-base"
      />
      {note && (
        <p id={`${id}-note`} className="text-faint text-xs">
          {note}
        </p>
      )}
    </div>
  )
}

const takeFocus = (input: HTMLInputElement | null) => input?.focus()
