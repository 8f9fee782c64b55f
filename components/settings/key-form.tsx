'use client'

import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { TextField } from '@/components/ui/text-field'
import type { ProviderKey } from '@/lib/protocol'
import { RequestForm } from './request-form'

interface KeyFormProps {
  provider: { name: string; label: string }
  /** the address of the key that is replaced */
  baseUrl: string | null
  /** the silence allowed by the key that is replaced, in ms */
  silenceMs: number | null
  onSaved(key: ProviderKey): void
  onCancel(): void
}

const MINUTE = 60_000

/** The time of a silence in ms: null for the server's own, NaN for a time that no server takes. */
function silenceOf(minutes: string): number | null {
  if (minutes.trim() === '') return null
  const ms = Math.round(Number(minutes.replace(',', '.')) * MINUTE)
  return ms >= 1000 && ms <= 1440 * MINUTE ? ms : Number.NaN
}

/**
 * Takes a key, and the address of a server that has one of its own. The field is emptied once the key is saved. A
 * form that goes saves nothing more.
 */
export function KeyForm({ provider, baseUrl, silenceMs, onSaved, onCancel }: KeyFormProps) {
  const { api } = useApp()
  const hasAddress = provider.name === 'openai-compatible'
  const [key, setKey] = useState('')
  const [address, setAddress] = useState(baseUrl ?? '')
  const [minutes, setMinutes] = useState(silenceMs === null ? '' : String(silenceMs / MINUTE))
  const silence_ms = silenceOf(minutes)
  const isTime = !Number.isNaN(silence_ms)
  const ready = hasAddress ? address.trim() !== '' && isTime : key.trim() !== ''

  return (
    <RequestForm<ProviderKey>
      label={`Key for ${provider.label}`}
      className="mt-3"
      ready={ready}
      submit="Test and save"
      busy="Testing the key…"
      send={(signal) =>
        api.fetch(`/api/provider-keys/${provider.name}`, {
          method: 'PUT',
          signal,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            key: key.trim(),
            ...(hasAddress && { base_url: address.trim(), silence_ms }),
          }),
        })
      }
      onDone={onSaved}
      onCancel={onCancel}
    >
      {hasAddress && (
        <TextField
          label="Address"
          note="Where its API begins, like https://models.example.org/v1"
          type="url"
          value={address}
          onChange={setAddress}
          maxLength={500}
          takesFocus
        />
      )}
      {hasAddress && (
        <TextField
          label="Longest silence, in minutes"
          note="A reply fails when its model sends nothing for this long. Empty: the time of this Ramify server, 5 minutes unless its operator changed it."
          type="code"
          value={minutes}
          onChange={setMinutes}
          maxLength={6}
        />
      )}
      {!isTime && (
        <p role="alert" className="text-danger text-sm">
          The longest silence is a number of minutes, from 0.02 (a second) to 1440 (a day).
        </p>
      )}
      <TextField
        label={hasAddress ? 'Key, if it needs one' : 'Key'}
        type="password"
        value={key}
        onChange={setKey}
        maxLength={500}
        takesFocus={!hasAddress}
      />
    </RequestForm>
  )
}
