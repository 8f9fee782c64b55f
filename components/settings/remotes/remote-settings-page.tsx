'use client'

import { useEffect, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { problemOf } from '@/components/app/problem'
import { Button } from '@/components/ui/button'
import type { Remote } from '@/lib/protocol'
import { SettingsPage } from '../settings-page'
import { type Outcome, OutcomeLine, SettingsRow } from '../settings-row'
import { RemoteForm } from './remote-form'

/** A person's other servers: added, which asks them whether they take the key, and removed here. */
export function RemoteSettingsPage({ remotes: stored }: { remotes: readonly Remote[] }) {
  const { noteRemotes } = useApp()
  const [remotes, setRemotes] = useState(stored)
  const [adding, setAdding] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const closed = useRef(false)

  // the form had the focus until it went
  useEffect(() => {
    if (closed.current && !adding) opener.current?.focus()
    closed.current = false
  }, [adding])

  const change = (next: readonly Remote[]) => {
    setRemotes(next)
    noteRemotes(next.map(({ name }) => name))
  }
  const close = () => {
    closed.current = true
    setAdding(false)
  }
  return (
    <SettingsPage title="Remotes" label="Remotes">
      <h2 className="font-medium text-lg">Your other servers</h2>
      <p className="mt-1 text-muted">
        With a remote, a chat lives in two places: on your laptop and on a server, or with you and at work.
        Push sends what the other side lacks, pull brings what you lack, and both keep every message and
        branch. Nothing is sent before you push.
      </p>
      <ul className="mt-6 border-line border-t">
        {remotes.map((remote) => (
          <RemoteRow
            key={remote.name}
            remote={remote}
            onRemoved={() => {
              change(remotes.filter(({ name }) => name !== remote.name))
              setOutcome({ ok: true, words: `${remote.name} is removed. The chats stay on both sides.` })
              opener.current?.focus()
            }}
            onProblem={(words) => setOutcome({ ok: false, words })}
          />
        ))}
        {remotes.length === 0 && (
          <li className="border-line border-b py-4 text-muted">You have no remote yet.</li>
        )}
      </ul>
      <div className="mt-4">
        {adding ? (
          <RemoteForm
            onCancel={close}
            onAdded={({ writes, ...remote }) => {
              change([...remotes, remote].sort((one, other) => one.name.localeCompare(other.name)))
              setOutcome({ ok: true, words: addedWords(remote.name, writes) })
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
            Add a remote
          </Button>
        )}
      </div>
      <OutcomeLine outcome={outcome} />
    </SettingsPage>
  )
}

const addedWords = (name: string, writes: boolean): string =>
  writes
    ? `${name} is added. To send a chat there, open ⋯ in the chat and choose Push.`
    : `${name} is added. Its key may only read: you can pull from it, and not push.`

interface RemoteRowProps {
  remote: Remote
  onRemoved(): void
  onProblem(words: string): void
}

function RemoteRow({ remote, onRemoved, onProblem }: RemoteRowProps) {
  const { api } = useApp()
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      await api.fetch(`/api/remotes/${encodeURIComponent(remote.name)}`, { method: 'DELETE' })
      onRemoved()
    } catch (error) {
      onProblem(problemOf(error).detail)
      setBusy(false)
    }
  }
  return (
    <SettingsRow
      title={remote.name}
      facts={
        <>
          {[remote.url, !remote.has_key && 'without a key'].filter(Boolean).join(' · ')}
          {!remote.readable && (
            <span className="mt-2 block text-warn">
              Its key can no longer be read, because this server’s secret has changed. Remove it and add it
              again.
            </span>
          )}
        </>
      }
    >
      <Button disabled={busy} aria-label={`Remove ${remote.name}`} onClick={remove}>
        Remove
      </Button>
    </SettingsRow>
  )
}
