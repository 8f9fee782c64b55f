'use client'

import { useEffect, useId, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { problemOf } from '@/components/app/problem'
import { Button } from '@/components/ui/button'
import type { ProviderKey } from '@/lib/protocol'
import { KeyForm } from './key-form'

interface ProviderSectionProps {
  provider: { name: string; label: string }
  stored: ProviderKey | null
  onChange(key: ProviderKey | null): void
}

/** Result of the last test or removal. */
type Outcome = { ok: boolean; words: string }

const date = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** One provider: its key, or the way to save one. */
export function ProviderSection({ provider, stored, onChange }: ProviderSectionProps) {
  const { api } = useApp()
  const [editing, setEditing] = useState(false)
  const [busy, setBusy] = useState<'test' | 'remove' | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const titleId = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const address = `/api/provider-keys/${provider.name}`

  const closed = useRef(false)

  // the form had the focus until it went
  useEffect(() => {
    if (closed.current && !editing) opener.current?.focus()
    closed.current = false
  }, [editing])

  const close = () => {
    closed.current = true
    setEditing(false)
  }

  /** Runs one request; a refusal is said in its own words. */
  const act = async (what: 'test' | 'remove', request: () => Promise<string>) => {
    setBusy(what)
    setOutcome(null)
    try {
      setOutcome({ ok: true, words: await request() })
    } catch (error) {
      setOutcome({ ok: false, words: problemOf(error).detail })
    } finally {
      setBusy(null)
    }
  }
  const test = () =>
    act('test', async () => {
      const response = await api.fetch(`${address}/test`, { method: 'POST' })
      const { models } = (await response.json()) as { models: number }
      return `The key works: ${modelCount(models)}.`
    })
  const remove = () =>
    act('remove', async () => {
      await api.fetch(address, { method: 'DELETE' })
      onChange(null)
      opener.current?.focus()
      return 'The key is removed.'
    })

  return (
    <li aria-labelledby={titleId} className="border-line border-b py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 id={titleId} className="font-medium">
            {provider.label}
          </h3>
          <p className="break-words text-muted text-sm">{stored ? keyWords(stored) : 'No key'}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {stored?.readable && (
            <Button disabled={busy !== null} aria-label={`Test the key for ${provider.label}`} onClick={test}>
              {busy === 'test' ? 'Testing…' : 'Test'}
            </Button>
          )}
          {stored && (
            <Button
              disabled={busy !== null}
              aria-label={`Remove the key for ${provider.label}`}
              onClick={remove}
            >
              Remove
            </Button>
          )}
          {!editing && (
            <Button
              ref={opener}
              aria-label={`${stored ? 'Replace the' : 'Add a'} key for ${provider.label}`}
              onClick={() => {
                setOutcome(null)
                setEditing(true)
              }}
            >
              {stored ? 'Replace' : 'Add a key'}
            </Button>
          )}
        </div>
      </div>
      {stored && !stored.readable && (
        <p className="mt-2 text-sm text-warn">
          This key can no longer be read, because the server’s secret has changed. Save it again.
        </p>
      )}
      {editing && (
        <KeyForm
          provider={provider}
          baseUrl={stored?.base_url ?? null}
          silenceMs={stored?.silence_ms ?? null}
          onCancel={close}
          onSaved={(key) => {
            onChange(key)
            setOutcome({ ok: true, words: 'The key works and is saved.' })
            close()
          }}
        />
      )}
      <p role="status" className="mt-2 text-sm text-accent empty:hidden">
        {outcome?.ok ? outcome.words : ''}
      </p>
      {outcome?.ok === false && (
        <p role="alert" className="mt-2 text-danger text-sm">
          {outcome.words}
        </p>
      )}
    </li>
  )
}

const modelCount = (count: number): string => (count === 1 ? 'one model' : `${count} models`)

function keyWords({ hint, saved_at, base_url }: ProviderKey): string {
  const key = hint === '' ? 'A key' : `Key ending in ${hint}`
  return [`${key}, saved ${date.format(new Date(saved_at))}`, base_url].filter(Boolean).join(' · ')
}
