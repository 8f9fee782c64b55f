'use client'

import { useEffect, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { problemOf } from '@/components/app/problem'
import { Button } from '@/components/ui/button'
import type { ToolServer } from '@/lib/protocol'
import { SettingsPage } from './settings-page'
import { ToolServerForm } from './tool-server-form'

/** What came of the last change. */
type Outcome = { ok: boolean; words: string }

/** A person's servers of tools: added, which asks them for their tools, and removed here. */
export function ToolSettingsPage({ servers: stored }: { servers: readonly ToolServer[] }) {
  const [servers, setServers] = useState(stored)
  const [adding, setAdding] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const closed = useRef(false)

  // the form had the focus until it went
  useEffect(() => {
    if (closed.current && !adding) opener.current?.focus()
    closed.current = false
  }, [adding])

  const close = () => {
    closed.current = true
    setAdding(false)
  }
  return (
    <SettingsPage title="Tools" label="Tool servers">
      <h2 className="font-medium text-lg">Your tool servers</h2>
      <p className="mt-1 text-muted">
        A model can use the tools of a server that speaks MCP over HTTP. None is offered before you switch it
        on for a branch, under Instructions, or for all new chats. A token is stored encrypted; it is never
        shown again.
      </p>
      <ul className="mt-6 border-line border-t">
        {servers.map((server) => (
          <Server
            key={server.id}
            server={server}
            onRemoved={() => {
              setServers((before) => before.filter(({ id }) => id !== server.id))
              setOutcome({ ok: true, words: `${server.name} is removed.` })
              opener.current?.focus()
            }}
            onProblem={(words) => setOutcome({ ok: false, words })}
          />
        ))}
        {servers.length === 0 && (
          <li className="border-line border-b py-4 text-muted">You have no tool server.</li>
        )}
      </ul>
      <div className="mt-4">
        {adding ? (
          <ToolServerForm
            onCancel={close}
            onAdded={({ tools, ...server }) => {
              setServers((before) =>
                [...before, server].sort((one, other) => one.name.localeCompare(other.name)),
              )
              setOutcome({ ok: true, words: `${server.name} is added: ${toolCount(tools)}.` })
              close()
            }}
          />
        ) : (
          <Button
            ref={opener}
            onClick={() => {
              setOutcome(null)
              setAdding(true)
            }}
          >
            Add a server
          </Button>
        )}
      </div>
      <p role="status" className="mt-3 text-sm text-accent empty:hidden">
        {outcome?.ok ? outcome.words : ''}
      </p>
      {outcome?.ok === false && (
        <p role="alert" className="mt-3 text-danger text-sm">
          {outcome.words}
        </p>
      )}
    </SettingsPage>
  )
}

interface ServerProps {
  server: ToolServer
  onRemoved(): void
  onProblem(words: string): void
}

function Server({ server, onRemoved, onProblem }: ServerProps) {
  const { api } = useApp()
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      await api.fetch(`/api/tool-servers/${server.id}`, { method: 'DELETE' })
      onRemoved()
    } catch (error) {
      onProblem(problemOf(error).detail)
      setBusy(false)
    }
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b py-4">
      <div className="min-w-0">
        <h3 className="font-medium">{server.name}</h3>
        <p className="break-words text-muted text-sm">
          {[server.url, server.has_token && 'with a token'].filter(Boolean).join(' · ')}
        </p>
        {!server.readable && (
          <p className="mt-2 text-sm text-warn">
            Its token can no longer be read, because the server’s secret has changed. Remove it and add it
            again.
          </p>
        )}
      </div>
      <Button disabled={busy} aria-label={`Remove ${server.name}`} onClick={remove}>
        Remove
      </Button>
    </li>
  )
}

const toolCount = (count: number): string => (count === 1 ? 'one tool' : `${count} tools`)
