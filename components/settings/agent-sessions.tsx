'use client'

import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { problemOf, unreached } from '@/components/app/problem'
import { Button } from '@/components/ui/button'
import { counted } from '@/lib/events/counted'
import type { AgentSession, AgentSessions as Found } from '@/lib/protocol/imports'
import { importSourceName } from './import-sources'

/** The sessions of agents on this machine: the page looks for them and imports the chosen ones. */
export function AgentSessions({ onBegun }: { onBegun(): Promise<unknown> }) {
  const { api } = useApp()
  const [found, setFound] = useState<Found | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const ask = async (sessions: readonly string[]) => {
    setBusy(true)
    setProblem(null)
    try {
      const response = await api.fetch('/api/import/agents', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sessions }),
      })
      setFound((await response.json()) as Found)
      setChosen(new Set())
      if (sessions.length > 0) await onBegun()
    } catch (error) {
      setProblem(problemOf(error, unreached).detail)
    } finally {
      setBusy(false)
    }
  }
  const choose = (ids: readonly string[], isChosen: boolean) =>
    setChosen((before) => {
      const after = new Set(before)
      for (const id of ids) isChosen ? after.add(id) : after.delete(id)
      return after
    })
  const ids = found?.sessions.map(({ id }) => id) ?? []
  return (
    <div className="mt-4">
      {found && found.sessions.length > 0 && (
        // a fieldset is else as wide as its longest title
        <fieldset className="min-w-0">
          <legend className="sr-only">Sessions</legend>
          <label className="flex items-center gap-3 border-line border-b py-2 touch:py-3">
            <input
              type="checkbox"
              className="size-4 accent-accent touch:size-5"
              checked={chosen.size === ids.length}
              onChange={(event) => choose(ids, event.target.checked)}
            />
            All {ids.length.toLocaleString('en')}
          </label>
          <ul className="max-h-96 overflow-y-auto">
            {found.sessions.map((session) => (
              <li key={session.id} className="border-line border-b">
                <label className="flex items-center gap-3 py-2 touch:py-3">
                  <input
                    type="checkbox"
                    className="size-4 shrink-0 accent-accent touch:size-5"
                    checked={chosen.has(session.id)}
                    onChange={(event) => choose([session.id], event.target.checked)}
                  />
                  <span className="min-w-0">
                    <span className="block truncate">
                      <bdi>{session.title}</bdi>
                    </span>
                    <span className="block truncate text-muted text-sm">{factsOf(session)}</span>
                  </span>
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      {found?.sessions.length === 0 && (
        <p className="text-muted">No sessions of Claude Code, Codex, opencode or pi are on this machine.</p>
      )}
      {found && found.problems.length > 0 && (
        <ul aria-label="Not looked at" className="mt-3 text-muted text-sm">
          {found.problems.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {problem && (
        <p role="alert" className="mt-3 rounded-md bg-danger-soft px-3 py-2 text-danger">
          {problem}
        </p>
      )}
      <div className="mt-4 flex gap-2">
        {ids.length > 0 && (
          <Button look="primary" disabled={isBusy || chosen.size === 0} onClick={() => void ask([...chosen])}>
            Import {chosen.size === 0 ? 'sessions' : chosen.size.toLocaleString('en')}
          </Button>
        )}
        <Button disabled={isBusy} onClick={() => void ask([])}>
          {isBusy ? 'Looking…' : found ? 'Look again' : 'Look for sessions'}
        </Button>
      </div>
    </div>
  )
}

const factsOf = ({ client, project, messages, at }: AgentSession): string =>
  [importSourceName(client), project, counted(messages, 'message'), at?.slice(0, 10)]
    .filter(Boolean)
    .join(' · ')
