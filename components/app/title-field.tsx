'use client'

import { useCallback, useRef } from 'react'
import { cn } from '@/components/ui/cn'

interface TitleFieldProps {
  title: string
  /** called once: with the title to give, or null when it stays as it is */
  onDone(title: string | null): void
  /** the title as it stands afterwards, which has the focus where the element that had it before is gone */
  after(): HTMLElement | null | undefined
  className?: string
}

/** A chat's title, edited where it stands: Enter and leaving the field save it, Escape does not. */
export function TitleField({ title, onDone, after, className }: TitleFieldProps) {
  const isDone = useRef(false)
  const before = useRef<Element | null>(null)
  const take = useCallback((input: HTMLInputElement | null) => {
    if (input) before.current = document.activeElement
    input?.focus()
    input?.select()
  }, [])
  const done = (next: string | null) => {
    if (isDone.current) return
    isDone.current = true
    const trimmed = next?.trim() ?? ''
    onDone(trimmed === '' || trimmed === title ? null : trimmed)
  }
  return (
    <input
      aria-label="Title"
      dir="auto"
      defaultValue={title}
      maxLength={200}
      autoComplete="off"
      ref={take}
      onBlur={(event) => done(event.currentTarget.value)}
      onKeyDown={(event) => {
        // its keys are its own
        event.stopPropagation()
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') done(event.currentTarget.value)
        else if (event.key === 'Escape') done(null)
        else return
        event.preventDefault()
        // the field is replaced by the title
        requestAnimationFrame(() => {
          const { activeElement, body } = document
          const opener = before.current
          const isThere = opener instanceof HTMLElement && opener !== body && opener.isConnected
          const back = isThere ? opener : after()
          if (activeElement === body) back?.focus({ preventScroll: true })
        })
      }}
      className={cn(
        'h-8 w-full min-w-0 rounded-md border border-accent bg-canvas px-2 text-ink outline-none touch:h-11',
        className,
      )}
    />
  )
}
