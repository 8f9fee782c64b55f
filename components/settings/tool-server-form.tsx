'use client'

import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import type { ToolServer } from '@/lib/protocol'
import { Field } from './field'
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
          ...{ method: 'POST', signal },
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            ...{ name: name.trim(), url: url.trim() },
            ...(token.trim() !== '' && { token: token.trim() }),
          }),
        })
      }
      onDone={onAdded}
      onCancel={onCancel}
    >
      <Field
        label="Name"
        note="Letters, digits and hyphens: the names of its tools begin with it"
        type="text"
        value={name}
        onChange={setName}
        most={32}
        first
      />
      <Field
        label="Address"
        note="Where it speaks MCP over HTTP, like https://tools.example.org/mcp"
        type="url"
        value={url}
        onChange={setUrl}
        first={false}
      />
      <Field
        label="Token, if it needs one"
        type="password"
        value={token}
        onChange={setToken}
        most={4000}
        first={false}
      />
    </RequestForm>
  )
}
