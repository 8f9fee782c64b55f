'use client'

import { useState } from 'react'
import { askIdentity } from '@/components/account/ask-identity'
import { useApp } from '@/components/app/app-context'
import { LoadFailed } from '@/components/app/notice'
import { problemOf, unreached } from '@/components/app/problem'
import { dateInWords } from '@/components/app/time-words'
import { useLookedAt } from '@/components/app/use-looked-at'
import { useLoaded } from '@/components/session/read-chat'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import type { OpenSession } from '@/lib/protocol'
import { SettingsSection } from './settings-page'
import { type Outcome, OutcomeLine, SettingsRow } from './settings-row'

/** The browsers that are signed in: each can be signed out from here. */
export function SessionSection() {
  const { api } = useApp()
  const [sessions, setSessions] = useState<readonly OpenSession[] | null>(null)
  const [version, setVersion] = useState(0)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { problem, again } = useLoaded<{ sessions: OpenSession[] }>(
    '/api/account/sessions',
    (answer) => setSessions(answer.sessions),
    version,
  )
  useLookedAt(() => setVersion((before) => before + 1))
  const attempt = async (work: () => Promise<string>) => {
    try {
      setOutcome({ ok: true, words: await work() })
      setVersion((before) => before + 1)
    } catch (error) {
      setOutcome({ ok: false, words: problemOf(error, unreached).detail })
    }
  }
  const end = ({ id, device }: OpenSession) =>
    attempt(async () => {
      await api.fetch(`/api/account/sessions/${id}`, { method: 'DELETE' })
      return `${device} is signed out.`
    })
  const endOthers = () =>
    attempt(async () => {
      const { ended } = await askIdentity<{ ended: number }>('sign-out-everywhere', { keep_this: true })
      return ended === 1 ? 'One session has ended.' : `${ended} sessions have ended.`
    })
  const hasOthers = sessions?.some(({ current }) => !current)
  return (
    <SettingsSection title="Sessions" note="The browsers that are signed in to this account.">
      {problem ? (
        <LoadFailed problem={problem} onAgain={again} />
      ) : sessions ? (
        <ul className="mt-4 border-line border-t">
          {sessions.map((session) => (
            <SettingsRow key={session.id} title={session.device} facts={factsOf(session)}>
              {!session.current && (
                <Button aria-label={`Sign out ${session.device}`} onClick={() => void end(session)}>
                  Sign out
                </Button>
              )}
            </SettingsRow>
          ))}
        </ul>
      ) : (
        <Skeleton className="mt-4 h-16" />
      )}
      {hasOthers && (
        <Button className="mt-4" onClick={() => void endOthers()}>
          Sign out everywhere else
        </Button>
      )}
      <OutcomeLine outcome={outcome} />
    </SettingsSection>
  )
}

function factsOf({ current, last_seen_at, signed_in_at }: OpenSession): string {
  const now = new Date()
  const [seen, begun] = [last_seen_at, signed_in_at].map((at) => dateInWords(Date.parse(at), now))
  return `${current ? 'This browser' : `Last seen ${seen}`} · signed in ${begun}`
}
