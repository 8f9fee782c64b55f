'use client'

import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { problemOf, unreached } from '@/components/app/problem'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'

export interface AccountField {
  name: string
  label: string
  type: 'text' | 'email' | 'password'
  /** tells a browser what to fill in */
  autoComplete: string
  note?: string
  initial?: string
  optional?: boolean
}

interface AccountFormProps {
  label: string
  fields: readonly AccountField[]
  /** the words of the button, and those while the server is asked */
  submit: string
  busy: string
  danger?: boolean
  send(values: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void>
  onCancel?(): void
  /** a choice below the fields, which its parent keeps */
  box?: { label: string; note: string; checked: boolean; onChange(checked: boolean): void }
  /** beside the button */
  beside?: ReactNode
}

/** The field that a refusal is about; the others belong to the whole form. */
const fieldOfCode: Readonly<Record<string, string>> = {
  weak_password: 'password',
  wrong_password: 'current',
  not_signed_in: 'email',
  invalid_email: 'email',
}

const wordsOfCode: Readonly<Record<string, string>> = {
  invalid_email_or_password: 'The address or the password is wrong.',
}

/** A form about an account: a refusal stands at the field that it is about, which gets the focus. */
export function AccountForm({
  label,
  fields,
  danger,
  send,
  onCancel,
  box,
  beside,
  ...words
}: AccountFormProps) {
  const id = useId()
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])),
  )
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<{ field: string | null; words: string } | null>(null)
  const inputs = useRef(new Map<string, HTMLInputElement>())
  const sending = useRef<AbortController>(null)
  useEffect(() => () => sending.current?.abort(), [])

  const refuse = (field: string | null, said: string) => {
    setRefused({ field, words: said })
    if (field) inputs.current.get(field)?.focus()
  }

  const submit = async () => {
    const empty = fields.find(({ name, optional }) => !optional && values[name]?.trim() === '')
    if (empty) return refuse(empty.name, emptyWords(empty))
    sending.current = new AbortController()
    const { signal } = sending.current
    setBusy(true)
    setRefused(null)
    try {
      await send(values, signal)
    } catch (error) {
      if (signal.aborted) return
      const { code, detail } = problemOf(error, unreached)
      const named = /^(\w+): (.*)$/s.exec(detail)
      const field = fieldOfCode[code] ?? named?.[1] ?? null
      const own = fields.some(({ name }) => name === field) ? field : null
      const said = own === 'email' && named ? 'This is not an e-mail address.' : (wordsOfCode[code] ?? detail)
      refuse(own, own && named && own !== 'email' ? (named[2] ?? said) : said)
    }
    if (!signal.aborted) setBusy(false)
  }

  return (
    <form
      aria-label={label}
      noValidate
      className="flex max-w-[26rem] flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void submit()
      }}
    >
      {fields.map(({ name, label: title, type, autoComplete, note }, at) => {
        const problem = refused?.field === name ? refused.words : null
        const described = [problem && `${id}-${name}-problem`, note && `${id}-${name}-note`].filter(Boolean)
        return (
          <div key={name} className="flex flex-col gap-1">
            <label htmlFor={`${id}-${name}`} className="text-muted text-xs">
              {title}
            </label>
            <input
              id={`${id}-${name}`}
              name={name}
              type={type}
              dir={type === 'text' ? 'auto' : 'ltr'}
              value={values[name] ?? ''}
              maxLength={type === 'password' ? 128 : 254}
              autoComplete={autoComplete}
              autoCapitalize="off"
              spellCheck={false}
              // biome-ignore lint/a11y/noAutofocus: the form was asked for
              autoFocus={at === 0}
              aria-invalid={problem !== null}
              aria-describedby={described.length > 0 ? described.join(' ') : undefined}
              ref={(input) => {
                if (input) inputs.current.set(name, input)
              }}
              onChange={(event) => {
                const next = event.currentTarget.value
                setValues((before) => ({ ...before, [name]: next }))
                if (problem) setRefused(null)
              }}
              className={cn(
                'h-9 rounded-md border bg-canvas px-3 outline-none focus:border-accent touch:h-11 touch:text-base',
                problem ? 'border-danger' : 'border-line',
              )}
            />
            {problem && (
              <p id={`${id}-${name}-problem`} role="alert" className="text-danger text-sm">
                {problem}
              </p>
            )}
            {note && (
              <p id={`${id}-${name}-note`} className="text-faint text-xs">
                {note}
              </p>
            )}
          </div>
        )
      })}
      {box && (
        <div className="flex flex-col gap-1">
          <label className="flex min-h-8 items-center gap-2 touch:min-h-11">
            <input
              type="checkbox"
              checked={box.checked}
              onChange={(event) => box.onChange(event.currentTarget.checked)}
              aria-describedby={`${id}-box-note`}
              className="accent-(--accent)"
            />
            {box.label}
          </label>
          <p id={`${id}-box-note`} className="text-faint text-xs">
            {box.note}
          </p>
        </div>
      )}
      {refused?.field === null && (
        <p role="alert" className="text-danger text-sm">
          {refused.words}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button look={danger ? 'danger' : 'primary'} type="submit" disabled={busy}>
          {busy ? words.busy : words.submit}
        </Button>
        {onCancel && (
          <Button look="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
        {beside}
      </div>
    </form>
  )
}

const emptyWords = ({ type, label }: AccountField): string =>
  type === 'email'
    ? 'Type an e-mail address.'
    : type === 'password'
      ? 'Type a password.'
      : `${label} is empty.`
