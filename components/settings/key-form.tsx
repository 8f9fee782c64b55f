'use client'

import { useEffect, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { problemOf } from '@/components/app/problem'
import { Button } from '@/components/ui/button'
import type { ProviderKey } from '@/lib/protocol'
import { Field } from './field'

interface KeyFormProps {
  provider: { name: string; label: string }
  /** of the key that is replaced */
  baseUrl: string | null
  onSaved(key: ProviderKey): void
  onCancel(): void
}

/** Takes a key, and the address of a server that has one of its own. What is typed is gone once the key is saved. A form that goes saves nothing more. */
export function KeyForm({ provider, baseUrl, onSaved, onCancel }: KeyFormProps) {
  const { api } = useApp()
  const hasAddress = provider.name === 'openai-compatible'
  const [key, setKey] = useState('')
  const [address, setAddress] = useState(baseUrl ?? '')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const saving = useRef<AbortController>(null)
  const ready = hasAddress ? address.trim() !== '' : key.trim() !== ''

  // cancelled, or the page was left: a key that is being tested is not to be saved
  useEffect(() => () => saving.current?.abort(), [])

  const save = async () => {
    saving.current = new AbortController()
    const { signal } = saving.current
    setBusy(true)
    setRefusal(null)
    try {
      const response = await api.fetch(`/api/provider-keys/${provider.name}`, {
        ...{ method: 'PUT', signal },
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ key: key.trim(), ...(hasAddress && { base_url: address.trim() }) }),
      })
      const saved = (await response.json()) as ProviderKey
      if (!signal.aborted) onSaved(saved)
    } catch (error) {
      if (signal.aborted) return
      setRefusal(problemOf(error).detail)
      setBusy(false)
    }
  }

  return (
    <form
      aria-label={`Key for ${provider.label}`}
      className="mt-3 flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (ready && !busy) void save()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
      }}
    >
      {hasAddress && (
        <Field
          label="Address"
          note="Where its API begins, like https://models.example.org/v1"
          type="url"
          value={address}
          onChange={setAddress}
          first
        />
      )}
      <Field
        label={hasAddress ? 'Key, if it needs one' : 'Key'}
        type="password"
        value={key}
        onChange={setKey}
        first={!hasAddress}
      />
      {refusal && (
        <p role="alert" className="text-danger text-sm">
          {refusal}
        </p>
      )}
      <div className="flex gap-2">
        <Button look="primary" type="submit" className="touch:h-11" disabled={!ready || busy}>
          {busy ? 'Testing the key…' : 'Test and save'}
        </Button>
        <Button look="quiet" className="touch:h-11" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
