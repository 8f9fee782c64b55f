'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { chatPath } from '@/components/app/paths'
import { problemOf } from '@/components/app/problem'
import { useLoaded } from '@/components/session/read-chat'
import { Button } from '@/components/ui/button'
import type { SeenInvitation } from '@/lib/protocol'
import { Refusal } from './refusal'

/** An invitation to a chat: who invites, what to, and as what; taken with a button. */
export function JoinPage({ token }: { token: string }) {
  const { viewer, access, api, openAccount } = useApp()
  const [problem, setProblem] = useState<string | null>(null)
  return (
    <div className="m-auto flex max-w-md flex-col gap-4 p-6">
      <h1 className="font-medium text-xl">You are invited to a chat</h1>
      {viewer ? (
        <Invitation token={token} />
      ) : (
        <>
          <p className="text-muted">
            Sign in to see who invites you. The chat is then among the chats of your account.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button look="primary" className="touch:h-11" onClick={() => openAccount('in')}>
              Sign in
            </Button>
            <Button className="touch:h-11" onClick={() => openAccount('up')}>
              Sign up
            </Button>
            {access.guests && (
              <Button
                look="quiet"
                className="touch:h-11"
                onClick={() =>
                  void api.signIn().catch((error: unknown) => setProblem(problemOf(error).detail))
                }
              >
                Go on as a guest
              </Button>
            )}
          </div>
        </>
      )}
      <Refusal words={problem} />
    </div>
  )
}

function Invitation({ token }: { token: string }) {
  const { api } = useApp()
  const router = useRouter()
  const [seen, setSeen] = useState<SeenInvitation | null>(null)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const url = `/api/invitations/${encodeURIComponent(token)}`
  const { problem } = useLoaded<SeenInvitation>(url, setSeen)
  const take = async () => {
    setBusy(true)
    setRefusal(null)
    try {
      const response = await api.fetch(`${url}/take`, { method: 'POST' })
      const { chat_id: id } = (await response.json()) as { chat_id: string }
      router.push(chatPath(id))
      router.refresh()
    } catch (error) {
      setRefusal(problemOf(error).detail)
      setBusy(false)
    }
  }
  if (problem) {
    return (
      <p className="text-muted">
        This invitation does not work for you. It was taken already, is over or was taken back, or is meant
        for another account. Ask the person who sent it for a new one.
      </p>
    )
  }
  if (!seen) return <p className="text-muted">Looking…</p>
  return (
    <>
      <p>
        <bdi className="font-medium">{seen.owner}</bdi> invites you to{' '}
        <bdi>“{seen.title ?? 'A conversation'}”</bdi>.
      </p>
      <p className="text-muted text-sm">
        You can read every branch of it, live, and go on in a copy of your own.
        {seen.role === 'proposes' && ' You can propose branches of your copy to the owner.'} The owner and the
        other people in the chat see your name.
      </p>
      <Button look="primary" className="self-start touch:h-11" disabled={busy} onClick={() => void take()}>
        {seen.chat_id === null ? 'Join the chat' : 'Open the chat'}
      </Button>
      <Refusal words={refusal} />
    </>
  )
}
