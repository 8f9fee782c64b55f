'use client'

import { useId } from 'react'
import { cn } from './cn'

interface TextFieldProps {
  label: string
  value: string
  onChange(value: string): void
  maxLength: number
  /** all but `words` are in the letters of a machine, left to right */
  type?: 'words' | 'code' | 'url' | 'password'
  /** below it */
  note?: string
  /** when it appears; `all` selects its text too */
  takesFocus?: 'all' | boolean
}

/** One line of text under its label. */
export function TextField({
  label,
  note,
  type = 'words',
  takesFocus = false,
  onChange,
  ...input
}: TextFieldProps) {
  const id = useId()
  const isWords = type === 'words'
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-muted text-xs">
        {label}
      </label>
      <input
        id={id}
        {...input}
        type={type === 'words' || type === 'code' ? 'text' : type}
        dir={isWords ? 'auto' : 'ltr'}
        // a browser must not keep it, nor offer the password of the account
        autoComplete={type === 'password' ? 'new-password' : 'off'}
        spellCheck={isWords}
        aria-describedby={note ? `${id}-note` : undefined}
        ref={takesFocus === 'all' ? selectAll : takesFocus ? takeFocus : undefined}
        onChange={(event) => onChange(event.target.value)}
        className={cn(
          'h-9 rounded-md border border-line bg-canvas px-3 outline-none focus:border-accent touch:h-11 touch:text-base',
          !isWords && 'font-mono text-sm',
        )}
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

const selectAll = (input: HTMLInputElement | null) => {
  input?.focus()
  input?.select()
}
