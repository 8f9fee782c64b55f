'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { problemOf } from '@/components/app/problem'
import { Button } from '@/components/ui/button'

interface RequestFormProps<Answer> {
  label: string
  /** true when the needed fields are filled in */
  ready: boolean
  /** the words of the button, and those while the server is asked */
  submit: string
  busy: string
  className?: string
  send(signal: AbortSignal): Promise<Response>
  onDone(answer: Answer): void
  onCancel(): void
  children: ReactNode
}

/** A form that is one request: it says why it was refused, and does nothing more once it is gone. */
export function RequestForm<Answer>({
  label,
  ready,
  className = '',
  send,
  onDone,
  onCancel,
  children,
  ...words
}: RequestFormProps<Answer>) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const sending = useRef<AbortController>(null)

  // cancelled, or the page was left: the input under test is not to be saved
  useEffect(() => () => sending.current?.abort(), [])

  const submit = async () => {
    sending.current = new AbortController()
    const { signal } = sending.current
    setBusy(true)
    setRefusal(null)
    try {
      const answer = (await (await send(signal)).json()) as Answer
      if (!signal.aborted) onDone(answer)
    } catch (error) {
      if (signal.aborted) return
      setRefusal(problemOf(error).detail)
      setBusy(false)
    }
  }

  return (
    <form
      aria-label={label}
      className={`${className} flex flex-col gap-3`}
      onSubmit={(event) => {
        event.preventDefault()
        if (ready && !busy) void submit()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
      }}
    >
      {children}
      {refusal && (
        <p role="alert" className="text-danger text-sm">
          {refusal}
        </p>
      )}
      <div className="flex gap-2">
        <Button look="primary" type="submit" disabled={!ready || busy}>
          {busy ? words.busy : words.submit}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
