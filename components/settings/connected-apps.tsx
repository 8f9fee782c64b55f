'use client'

import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { LoadFailed } from '@/components/app/notice'
import { problemOf, unreached } from '@/components/app/problem'
import { dateInWords } from '@/components/app/time-words'
import { useLoaded } from '@/components/session/read-chat'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import type { ConnectedApp } from '@/lib/protocol'
import { SettingsSection } from './settings-page'
import { type Outcome, OutcomeLine, SettingsRow } from './settings-row'

/** The apps that a person has let in by OAuth, each with a button that ends it. */
export function ConnectedApps() {
  const { api, viewer } = useApp()
  const mayConnect = viewer !== null && !viewer.guest
  const [apps, setApps] = useState<readonly ConnectedApp[] | null>(mayConnect ? null : [])
  const [version, setVersion] = useState(0)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { problem, again } = useLoaded<{ apps: ConnectedApp[] }>(
    mayConnect ? '/api/oauth/grants' : null,
    (answer) => setApps(answer.apps),
    version,
  )
  const disconnect = async ({ id, name }: ConnectedApp) => {
    try {
      await api.fetch(`/api/oauth/grants/${id}`, { method: 'DELETE' })
      setOutcome({ ok: true, words: `${name} is disconnected. It is refused from now on.` })
      setVersion(version + 1)
    } catch (error) {
      setOutcome({ ok: false, words: problemOf(error, unreached).detail })
    }
  }
  return (
    <SettingsSection
      title="Connected apps"
      note={
        <>
          Apps that you have let in without a key.{' '}
          <a href="/docs/agents#mcp" className="text-accent underline underline-offset-4">
            How to connect one
          </a>
        </>
      }
    >
      {problem ? (
        <LoadFailed problem={problem} onAgain={again} />
      ) : apps ? (
        <ul aria-label="Connected apps" className="mt-6 border-line border-t">
          {apps.map((app) => (
            <SettingsRow key={app.id} title={<bdi>{app.name}</bdi>} facts={factsOf(app)}>
              <Button aria-label={`Disconnect ${app.name}`} onClick={() => void disconnect(app)}>
                Disconnect
              </Button>
            </SettingsRow>
          ))}
          {apps.length === 0 && (
            <li className="border-line border-b py-4 text-muted">
              {viewer?.guest ? 'A guest cannot connect apps.' : 'No app is connected.'}
            </li>
          )}
        </ul>
      ) : (
        <Skeleton className="mt-6 h-16" />
      )}
      <OutcomeLine outcome={outcome} />
    </SettingsSection>
  )
}

function factsOf({ place, scopes, connected_at, last_used_at }: ConnectedApp): string {
  const now = new Date()
  const day = (at: string) => dateInWords(Date.parse(at), now)
  const may =
    scopes.length === 2 ? 'reads and writes' : scopes.includes('write') ? 'writes only' : 'reads only'
  return [
    place,
    may,
    `since ${day(connected_at)}`,
    last_used_at ? `last used ${day(last_used_at)}` : 'not used yet',
  ].join(' · ')
}
