'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { problemOf } from '@/components/app/problem'
import { Button } from '@/components/ui/button'
import { type Outcome, OutcomeLine, SettingsRow } from './settings-row'

interface OwnServer {
  name: string
  url: string
  /** true when this server can still decrypt its key */
  readable: boolean
}

interface OwnServersProps<Server extends OwnServer> {
  stored: readonly Server[]
  /** stands where there is none */
  empty: string
  /** the button that opens the form */
  opens: string
  /** the encrypted value, as people call it: `key` */
  secret: string
  /** behind the address of a server */
  factOf(server: Server): string | false
  /** the server's address in the API */
  pathOf(server: Server): string
  /** the sentence about a server that was removed */
  removedWords(server: Server): string
  onChange?(servers: readonly Server[]): void
  /** the form of a new server; `onAdded` takes it with a sentence about it */
  form(on: { onAdded(server: Server, words: string): void; onCancel(): void }): ReactNode
}

/** A person's servers of one kind: listed, added by a form, and removed here. The focus goes back to the button of the form. */
export function OwnServers<Server extends OwnServer>(props: OwnServersProps<Server>) {
  const { stored, empty, opens, removedWords, onChange, form } = props
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

  const change = (next: readonly Server[]) => {
    setServers(next)
    onChange?.(next)
  }
  const close = () => {
    closed.current = true
    setAdding(false)
  }
  return (
    <>
      <ul className="mt-6 border-line border-t">
        {servers.map((server) => (
          <ServerRow
            key={server.name}
            {...props}
            server={server}
            onRemoved={() => {
              change(servers.filter((one) => one !== server))
              setOutcome({ ok: true, words: removedWords(server) })
              opener.current?.focus()
            }}
            onProblem={(words) => setOutcome({ ok: false, words })}
          />
        ))}
        {servers.length === 0 && <li className="border-line border-b py-4 text-muted">{empty}</li>}
      </ul>
      <div className="mt-4">
        {adding ? (
          form({
            onCancel: close,
            onAdded(server, words) {
              change([...servers, server].sort((one, other) => one.name.localeCompare(other.name)))
              setOutcome({ ok: true, words })
              close()
            },
          })
        ) : (
          <Button
            ref={opener}
            onClick={() => {
              setOutcome(null)
              setAdding(true)
            }}
          >
            {opens}
          </Button>
        )}
      </div>
      <OutcomeLine outcome={outcome} />
    </>
  )
}

interface RowProps<Server extends OwnServer>
  extends Pick<OwnServersProps<Server>, 'secret' | 'factOf' | 'pathOf'> {
  server: Server
  onRemoved(): void
  onProblem(words: string): void
}

function ServerRow<Server extends OwnServer>({
  server,
  secret,
  factOf,
  pathOf,
  onRemoved,
  onProblem,
}: RowProps<Server>) {
  const { api } = useApp()
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      await api.fetch(pathOf(server), { method: 'DELETE' })
      onRemoved()
    } catch (error) {
      onProblem(problemOf(error).detail)
      setBusy(false)
    }
  }
  return (
    <SettingsRow
      title={server.name}
      facts={
        <>
          {[server.url, factOf(server)].filter(Boolean).join(' · ')}
          {!server.readable && (
            <span className="mt-2 block text-warn">
              Its {secret} can no longer be read, because this server’s secret has changed. Remove it and add
              it again.
            </span>
          )}
        </>
      }
    >
      <Button disabled={busy} aria-label={`Remove ${server.name}`} onClick={remove}>
        Remove
      </Button>
    </SettingsRow>
  )
}
