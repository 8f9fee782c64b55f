'use client'

import { useEffect, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { problemOf } from '@/components/app/problem'
import { Button } from '@/components/ui/button'
import type { ToolServer } from '@/lib/protocol'
import { Field } from './field'

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
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const adding = useRef<AbortController>(null)
  const ready = name.trim() !== '' && url.trim() !== ''

  // cancelled, or the page was left: a server that is being asked is not to be added
  useEffect(() => () => adding.current?.abort(), [])

  const add = async () => {
    adding.current = new AbortController()
    const { signal } = adding.current
    setBusy(true)
    setRefusal(null)
    try {
      const response = await api.fetch('/api/tool-servers', {
        ...{ method: 'POST', signal },
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ name: name.trim(), url: url.trim() },
          ...(token.trim() !== '' && { token: token.trim() }),
        }),
      })
      const added = (await response.json()) as ToolServer & { tools: number }
      if (!signal.aborted) onAdded(added)
    } catch (error) {
      if (signal.aborted) return
      setRefusal(problemOf(error).detail)
      setBusy(false)
    }
  }

  return (
    <form
      aria-label="New tool server"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (ready && !busy) void add()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
      }}
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
      {refusal && (
        <p role="alert" className="text-danger text-sm">
          {refusal}
        </p>
      )}
      <div className="flex gap-2">
        <Button look="primary" type="submit" className="touch:h-11" disabled={!ready || busy}>
          {busy ? 'Asking for its tools…' : 'Test and add'}
        </Button>
        <Button look="quiet" className="touch:h-11" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
