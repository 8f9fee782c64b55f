'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { problemOf } from '@/components/app/problem'
import { useLoaded } from '@/components/session/read-chat'
import { Button } from '@/components/ui/button'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import { Select } from '@/components/ui/select'
import type { ChatId } from '@/lib/events'
import type { Exchanged, RemoteState } from '@/lib/protocol'
import { remoteStateUrl, remoteUrl } from './remote-urls'
import { standingWords } from './standing-words'

type Verb = 'push' | 'pull'
type Diverged = Exchanged['diverged'][number]

const words = {
  push: {
    title: 'Push',
    description: 'Sends messages and branches that the other server lacks. Nothing there is changed or lost.',
    all: 'Push',
    busy: 'Sending…',
  },
  pull: {
    title: 'Pull',
    description: 'Brings what the other server has, and moves branches on that you have not gone on with.',
    all: 'Pull',
    busy: 'Receiving…',
  },
} as const

interface ExchangeDialogProps extends OpenProps {
  verb: Verb
  chatId: ChatId
  /** the branch's title here; its name where it is only there */
  titleOf(name: string): string
  /** the chat has changed on this server */
  onReceived(): Promise<unknown>
  /** both sides have gone on with a branch: its merge is to be reviewed */
  onMerge(diverged: Diverged, remote: string): void
}

/** Shows the standings of a chat's branches to a remote, and exchanges it. A pull with one remote begins at once. */
export default function ExchangeDialog({
  verb,
  chatId,
  titleOf,
  onReceived,
  onMerge,
  ...props
}: ExchangeDialogProps) {
  const { api, remotes } = useApp()
  const [remote, setRemote] = useState(remotes[0] ?? '')
  const [state, setState] = useState<RemoteState | null>(null)
  const [done, setDone] = useState<Exchanged | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const asking = useRef<AbortController>(null)
  const { problem } = useLoaded<RemoteState>(remoteStateUrl(remote, chatId), setState)

  const exchange = async () => {
    asking.current = new AbortController()
    const { signal } = asking.current
    setBusy(true)
    setRefusal(null)
    setDone(null)
    try {
      const response = await api.fetch(remoteUrl(remote, verb), {
        method: 'POST',
        signal,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ chat_id: chatId }),
      })
      const answer = (await response.json()) as Exchanged
      if (verb === 'pull') await onReceived()
      if (signal.aborted) return
      const [diverged] = answer.diverged
      if (diverged) return onMerge(diverged, remote)
      setState(answer)
      setDone(answer)
    } catch (error) {
      if (!signal.aborted) setRefusal(problemOf(error).detail)
    } finally {
      setBusy(false)
    }
  }
  const begin = useEffectEvent(() => {
    if (verb === 'pull' && remotes.length === 1) void exchange()
  })
  useEffect(() => {
    begin()
    return () => asking.current?.abort()
  }, [])

  const { title, description, all, busy: waiting } = words[verb]
  return (
    <Dialog {...props} title={title} description={description}>
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pt-4 pb-5">
        {remotes.length > 1 && (
          <div className="flex flex-col gap-1 text-muted text-xs">
            Remote
            <Select
              label="Remote"
              value={remote}
              options={remotes.map((name) => ({ value: name, label: name }))}
              onChange={(name) => {
                setRemote(name)
                setState(null)
                setDone(null)
                setRefusal(null)
              }}
              className="h-9 touch:h-11"
            />
          </div>
        )}
        <Standings state={state} remote={remote} titleOf={titleOf} />
        <p role="status" className="text-accent text-sm empty:hidden">
          {busy ? waiting : done && doneWords(verb, done, titleOf)}
        </p>
        {done?.advice && <p className="text-muted text-sm">{done.advice}</p>}
        {(refusal ?? problem) && (
          <p role="alert" className="text-danger text-sm">
            {refusal ?? problem?.detail}
          </p>
        )}
        <div className="flex items-center justify-end gap-2">
          <Button type="button" look={done ? 'primary' : 'quiet'} onClick={() => props.onOpenChange(false)}>
            {done ? 'Done' : 'Cancel'}
          </Button>
          {!done && (
            <Button look="primary" disabled={busy} onClick={() => void exchange()}>
              {verb === 'push' ? `${all} to ${remote}` : `${all} from ${remote}`}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

/** A line for each branch. */
function Standings({
  state,
  remote,
  titleOf,
}: { state: RemoteState | null } & Pick<ExchangeDialogProps, 'titleOf'> & { remote: string }) {
  if (!state) return <div className="h-6" />
  if (state.branches.every(({ state }) => state === 'only_here'))
    return <p className="text-muted text-sm">{remote} does not have this chat yet.</p>
  return (
    <ul className="flex flex-col">
      {state.branches.map((branch) => (
        <li key={branch.name} className="flex items-baseline gap-4 border-line border-b py-1.5 text-sm">
          <bdi className="min-w-0 flex-1 truncate">{titleOf(branch.name)}</bdi>
          <span className="shrink-0 text-muted tabular-nums">{standingWords(branch, remote)}</span>
        </li>
      ))}
    </ul>
  )
}

function doneWords(
  verb: Verb,
  { remote, received, moved }: Exchanged,
  titleOf: ExchangeDialogProps['titleOf'],
): string {
  if (verb === 'push')
    return moved.length === 0
      ? `${remote} has everything already.`
      : `Pushed ${branches(moved.map(titleOf))} to ${remote}.`
  if (received === 0 && moved.length === 0) return `${remote} has nothing new.`
  const messages = received === 1 ? 'one message' : `${received} messages`
  return `Received ${messages} from ${remote}.`
}

const branches = (names: readonly string[]): string =>
  names.length === 1 ? (names[0] ?? '') : `${names.length} branches`
