'use client'

import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { TextField } from '@/components/ui/text-field'
import type { ToolServer } from '@/lib/protocol'
import { RequestForm } from './request-form'

interface ToolServerFormProps {
  onAdded(server: ToolServer & { tools: number }): void
  onCancel(): void
}

/** Takes the name, the address and the token of a server. It is added once it has said which tools it has. */
export function ToolServerForm({ onAdded, onCancel }: ToolServerFormProps) {
  const { api } = useApp()
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [token, setToken] = useState('')
  const ready = name.trim() !== '' && url.trim() !== ''

  return (
    <RequestForm<ToolServer & { tools: number }>
      label="New tool server"
      ready={ready}
      submit="Test and add"
      busy="Asking for its tools…"
      send={(signal) =>
        api.fetch('/api/tool-servers', {
          method: 'POST',
          signal,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            name: name.trim(),
            url: url.trim(),
            ...(token.trim() !== '' && { token: token.trim() }),
          }),
        })
      }
      onDone={onAdded}
      onCancel={onCancel}
    >
      <TextField
        label="Name"
        note="Letters, digits and hyphens: the names of its tools begin with it"
        type="code"
        value={name}
        onChange={setName}
        maxLength={32}
        takesFocus
      />
      <TextField
        label="Address"
        note="Where it speaks MCP over HTTP, like https://tools.example.org/mcp"
        type="url"
        value={url}
        onChange={setUrl}
        maxLength={500}
      />
      <TextField
        label="Token, if it needs one"
        type="password"
        value={token}
        onChange={setToken}
        maxLength={4000}
      />
    </RequestForm>
  )
}
