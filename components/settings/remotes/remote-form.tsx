'use client'

import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { TextField } from '@/components/ui/text-field'
import type { AddedRemote } from '@/lib/protocol'
import { RequestForm } from '../request-form'

interface RemoteFormProps {
  onAdded(remote: AddedRemote): void
  onCancel(): void
}

/** Takes the name, the address and the key of another server. It is added once it has taken the key. */
export function RemoteForm({ onAdded, onCancel }: RemoteFormProps) {
  const { api } = useApp()
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [key, setKey] = useState('')
  const ready = name.trim() !== '' && url.trim() !== ''

  return (
    <RequestForm<AddedRemote>
      label="New remote"
      ready={ready}
      submit="Test and add"
      busy="Asking the server…"
      send={(signal) =>
        api.fetch('/api/remotes', {
          method: 'POST',
          signal,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            name: name.trim(),
            url: url.trim(),
            ...(key.trim() !== '' && { key: key.trim() }),
          }),
        })
      }
      onDone={onAdded}
      onCancel={onCancel}
    >
      <TextField
        label="Name"
        note="A short word of your own, like work: its branches are shown as work/main"
        type="code"
        value={name}
        onChange={setName}
        maxLength={32}
        takesFocus
      />
      <TextField
        label="Address"
        note="As you open it in a browser, like https://ramify.example.org"
        type="url"
        value={url}
        onChange={setUrl}
        maxLength={500}
      />
      <TextField
        label="Key"
        note="An API key of that server: make one there, under Settings, API keys. It is stored encrypted; it is never shown again."
        type="password"
        value={key}
        onChange={setKey}
        maxLength={4000}
      />
    </RequestForm>
  )
}
