'use client'

import { useEffect, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { LoadFailed } from '@/components/app/notice'
import { problemOf, unreached } from '@/components/app/problem'
import { chatUrl, useLoaded } from '@/components/session/read-chat'
import { Button } from '@/components/ui/button'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import { Segmented } from '@/components/ui/segmented'
import { Skeleton } from '@/components/ui/skeleton'
import type { ChatId, MessageId } from '@/lib/events'
import type { BisectReport } from '@/lib/protocol'

type Bisect = BisectReport['bisects'][number]
type Judge = Bisect['judge']

interface BisectDialogProps extends OpenProps {
  chatId: ChatId
  /** the reply that is looked into */
  messageId: MessageId
  /** the turns above its question */
  turns: number
  /** the beginning of a message of the chat; undefined while it is not known */
  previewOf(id: MessageId): string | undefined
  onOpenMessage(id: MessageId): void
}

/** Time between two looks at a search that is under way, in ms. */
const LOOK = 1000

/**
 * Finds the turn that made a reply say something. The search goes on without the dialog, which shows it again when it
 * opens.
 */
export default function BisectDialog({
  chatId,
  messageId,
  turns,
  previewOf,
  onOpenMessage,
  ...props
}: BisectDialogProps) {
  const { api } = useApp()
  const [looks, setLooks] = useState(0)
  const [anew, setAnew] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [loaded, setLoaded] = useState<Bisect | 'none' | null>(null)
  const take = ({ bisects }: BisectReport) =>
    setLoaded(bisects.find(({ message_id }) => message_id === messageId) ?? 'none')
  const { problem: failed, again } = useLoaded<BisectReport>(
    props.open ? chatUrl('chats', chatId, 'bisects') : null,
    take,
    looks,
  )
  const bisect = loaded === 'none' || anew ? null : loaded
  const isRunning = props.open && bisect?.status === 'running'
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setLooks((count) => count + 1), LOOK)
    return () => clearInterval(timer)
  }, [isRunning])

  const send = async (path: string, body: object) => {
    setBusy(true)
    setProblem(null)
    try {
      const headers = { 'content-type': 'application/json' }
      const response = await api.fetch(chatUrl('chats', chatId, path), {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      setLoaded((await response.json()) as Bisect)
      setAnew(false)
    } catch (error) {
      setProblem(problemOf(error, unreached).detail ?? null)
    }
    setBusy(false)
  }
  const steer = (body: object) => void send(`bisects/${bisect?.bisect_id}`, body)
  return (
    <Dialog
      {...props}
      title="Find what made the difference"
      description="Finds the message that made this reply say something: its question is asked again below shorter beginnings of the conversation."
    >
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pt-4 pb-5 text-sm">
        {failed ? (
          <LoadFailed problem={failed} onAgain={again} />
        ) : loaded === null ? (
          <Skeleton className="h-24" />
        ) : bisect === null ? (
          <BisectForm
            turns={turns}
            busy={busy}
            onStart={(judge) => void send('bisects', { message_id: messageId, judge })}
          />
        ) : (
          <Standing
            bisect={bisect}
            busy={busy}
            steer={steer}
            previewOf={previewOf}
            onAnew={() => setAnew(true)}
            onOpenMessage={(id) => {
              props.onOpenChange(false)
              onOpenMessage(id)
            }}
          />
        )}
        {problem && (
          <p role="alert" className="text-danger">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}

const judges = {
  person: { label: 'I judge', field: '', hint: 'You read each reply and say whether it still says it.' },
  text: { label: 'Text', field: 'Text that the reply holds', hint: '' },
  pattern: { label: 'Pattern', field: 'Regular expression', hint: '' },
  model: { label: 'A model', field: 'The reply …', hint: 'For example: claims that Braga is in the south' },
} as const

function BisectForm({ turns, busy, onStart }: { turns: number; busy: boolean; onStart(judge: Judge): void }) {
  const [kind, setKind] = useState<Judge['kind']>('person')
  const [sought, setSought] = useState('')
  const { field, hint } = judges[kind]
  const judge: Judge =
    kind === 'person'
      ? { kind }
      : kind === 'text'
        ? { kind, text: sought }
        : kind === 'pattern'
          ? { kind, pattern: sought }
          : { kind, what: sought }
  const runs = Math.ceil(Math.log2(turns + 1)) + 1
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onStart(judge)
      }}
    >
      <div className="flex flex-col items-start gap-1">
        <span className="text-muted text-xs">How do you tell whether a reply still says it?</span>
        <Segmented
          label="Judge"
          value={kind}
          options={(Object.keys(judges) as Judge['kind'][]).map((value) => ({
            value,
            label: judges[value].label,
          }))}
          onChange={setKind}
        />
      </div>
      {field !== '' && (
        <label className="flex flex-col gap-1 text-muted text-xs">
          {field}
          <input
            dir="auto"
            value={sought}
            maxLength={500}
            autoComplete="off"
            onChange={(event) => setSought(event.target.value)}
            className="h-9 rounded-md border border-line bg-canvas px-3 text-ink text-sm outline-none focus:border-accent touch:h-11"
          />
        </label>
      )}
      {hint && <p className="text-muted">{hint}</p>}
      <p className="text-muted tabular-nums">
        {turns === 0
          ? 'Nothing stands above its question, so nothing above it can have made the difference.'
          : `At most ${runs} ${runs === 1 ? 'reply' : 'replies'}, for ${turns} ${turns === 1 ? 'turn' : 'turns'} above the question. Their branches are archived.`}
      </p>
      <Button
        type="submit"
        look="primary"
        className="self-end"
        disabled={busy || turns === 0 || (kind !== 'person' && sought.trim() === '')}
      >
        {busy ? 'Starting…' : 'Find the message'}
      </Button>
    </form>
  )
}

interface StandingProps {
  bisect: Bisect
  busy: boolean
  steer(body: object): void
  previewOf: BisectDialogProps['previewOf']
  onAnew(): void
  onOpenMessage(id: MessageId): void
}

function Standing({ bisect, busy, steer, previewOf, onAnew, onOpenMessage }: StandingProps) {
  const { status, reason, runs, runs_left: left, turns, found_message_id: found } = bisect
  const isOver = status === 'done' || status === 'stopped'
  const where =
    bisect.asked_without !== null
      ? `without turn ${bisect.asked_without}`
      : bisect.asked_below === 0
        ? 'without any of the turns above'
        : bisect.asked_below === 1
          ? `below the first of ${turns} turns`
          : `below the first ${bisect.asked_below} of ${turns} turns`
  return (
    <>
      <p role="status" className="tabular-nums">
        {isOver ? (
          <span className="font-medium">{status === 'stopped' ? 'The search was stopped.' : reason}</span>
        ) : (
          <>
            <span className="font-medium">The question is asked {where}.</span>{' '}
            <span className="text-muted">
              Run {runs}, at most {left} more.
            </span>
          </>
        )}
      </p>
      {status === 'paused' && <p className="text-muted">{reason}</p>}
      {found && previewOf(found) && (
        <blockquote dir="auto" className="line-clamp-2 border-line border-s-2 ps-3 text-muted">
          {previewOf(found)}
        </blockquote>
      )}
      {bisect.reply !== null && (
        <blockquote
          dir="auto"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long reply is scrolled by keys
          tabIndex={0}
          className="max-h-64 overflow-y-auto whitespace-pre-wrap rounded-md border border-line bg-canvas p-3"
        >
          {bisect.reply}
        </blockquote>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {status === 'waiting' && (
          <>
            <Button disabled={busy} onClick={() => steer({ says: true })}>
              It still says it
            </Button>
            <Button disabled={busy} onClick={() => steer({ says: false })}>
              It no longer does
            </Button>
          </>
        )}
        {status === 'paused' && (
          <Button look="primary" disabled={busy} onClick={() => steer({ action: 'resume' })}>
            Try this run again
          </Button>
        )}
        {!isOver && (
          <Button look="quiet" disabled={busy} onClick={() => steer({ action: 'stop' })}>
            Stop the search
          </Button>
        )}
        {isOver && <Button onClick={onAnew}>Search again</Button>}
        {found && (
          <Button look="primary" onClick={() => onOpenMessage(found)}>
            Open the message
          </Button>
        )}
      </div>
    </>
  )
}
