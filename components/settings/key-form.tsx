'use client'

import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { TextField } from '@/components/ui/text-field'
import type { ProviderKey } from '@/lib/protocol'
import { RequestForm } from './request-form'

interface KeyFormProps {
  provider: { name: string; label: string }
  /** of the key that is replaced */
  baseUrl: string | null
  /** of the key that is replaced, in ms */
  silenceMs: number | null
  onSaved(key: ProviderKey): void
  onCancel(): void
}

const MINUTE = 60_000

/** Takes a key, and the address of a server that has one of its own. What is typed is gone once the key is saved. A form that goes saves nothing more. */
export function KeyForm({ provider, baseUrl, silenceMs, onSaved, onCancel }: KeyFormProps) {
  const { api } = useApp()
  const hasAddress = provider.name === 'openai-compatible'
  const [key, setKey] = useState('')
  const [address, setAddress] = useState(baseUrl ?? '')
  const [minutes, setMinutes] = useState(silenceMs === null ? '' : String(silenceMs / MINUTE))
  const silence_ms = minutes.trim() === '' ? null : Math.round(Number(minutes.replace(',', '.')) * MINUTE)
  const ready = hasAddress ? address.trim() !== '' && !Number.isNaN(silence_ms) : key.trim() !== ''

  return (
    <RequestForm<ProviderKey>
      label={`Key for ${provider.label}`}
      className="mt-3"
      ready={ready}
      submit="Test and save"
      busy="Testing the key…"
      send={(signal) =>
        api.fetch(`/api/provider-keys/${provider.name}`, {
          ...{ method: 'PUT', signal },
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
          note="How long its models may say nothing before a reply fails. Empty: as this server waits, 5 minutes unless its operator set another time."
          type="code"
          value={minutes}
          onChange={setMinutes}
          maxLength={6}
        />
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
