'use client'

import { CircleStop, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useApp } from '@/components/app/app-context'
import { deferred } from '@/components/app/deferred'
import { useChatTools } from '@/components/session/chat-context'
import type { ThreadRow } from '@/components/session/thread-rows'
import { Button } from '@/components/ui/button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { cutReply, isCut } from '@/lib/context/engine/cut-reply'
import { seamsIn } from '@/lib/events'
import type { Explanation, GraphNode, Waiting } from '@/lib/protocol'

/** Few replies go on with a cut one. */
const Seams = deferred(() => import('./seams'))

/** Tells the seams of a reply, the tools it did without, its ending, and the next step for the person. */
export function ReplyStatus(row: ThreadRow & { isHead: boolean }) {
  return (
    <>
      {seamsIn(row.message).length > 0 && <Seams fallback={<div className="h-8" />} message={row.message} />}
      {row.message.metadata?.notices?.map((notice) => (
        <p key={notice} className="flex gap-1.5 pt-2 text-muted text-sm">
          <TriangleAlert size={14} aria-hidden className="mt-0.5 shrink-0 text-warn" /> {notice}
        </p>
      ))}
      <Ending {...row} />
    </>
  )
}

function Ending({ node, message, isHead }: ThreadRow & { isHead: boolean }) {
  const isPart = isCut({ status: node.status, data: message })
  if (isPart && node.status !== 'failed') {
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pt-2">
        <p className="flex items-center gap-1.5 text-muted text-sm">
          <CircleStop size={14} aria-hidden />
          {node.status === 'stopped'
            ? 'You stopped this reply here.'
            : 'This reply met its limit of length here.'}
        </p>
        {isHead && <Continue node={node} message={message} />}
      </div>
    )
  }
  if (!isPart) return null
  const error = message.metadata?.error
  return (
    <Failure
      message={error?.message ?? 'This reply was cut off.'}
      advice={error?.advice ?? 'Try again, or choose another model.'}
      node={isHead ? node : null}
      rest={isHead && <Continue node={node} message={message} />}
    />
  )
}

/** Asks for the rest of a reply, where there is anything to go on from. */
function Continue({ node, message }: ThreadRow) {
  const { busy, goOn } = useChatTools()
  if (!cutReply(message, '')) return null
  return (
    <Button size="sm" disabled={busy} onClick={() => goOn(node)}>
      Continue
    </Button>
  )
}

/** A reply that does not begin yet, and why. */
export function WaitingReply({ waiting }: { waiting: Waiting }) {
  const { writing } = waiting
  const others =
    writing === 1 ? '1 of your replies is being written' : `${writing} of your replies are being written`
  const busy = 'the server writes as many replies as it can'
  return (
    <p role="status" className="py-1 text-muted text-sm">
      {waiting.for === 'person'
        ? `Waiting: ${others}. This one starts when ${writing === 1 ? 'it' : 'one of them'} ends.`
        : `Waiting for a free place: ${busy}. This one starts when one of them ends.`}
    </p>
  )
}

/** A message at the end of a branch without a reply, and why the reply failed. */
export function Unanswered({ node, failure }: { node: GraphNode; failure: Explanation | null }) {
  return (
    <div className="px-1 pl-[23px]">
      <Failure
        message={failure?.message ?? endedWords(node)}
        advice={failure?.advice ?? (failure ? '' : 'Write on, or ask for a reply.')}
        node={node}
        ask={failure ? 'Try again' : 'Ask for a reply'}
        calm={failure === null || failure.kind === 'stopped'}
      />
    </div>
  )
}

/** Words for the way in which a branch came to end on a message without a reply. */
function endedWords({ mergeParentId, copiedFromId, depth }: GraphNode): string {
  if (mergeParentId !== undefined) return depth === 0 ? 'Summed up.' : 'Merged.'
  return copiedFromId === undefined ? 'There is no reply on this branch yet.' : 'Copied.'
}

interface FailureProps {
  message: string
  advice: string
  /** the thing to try again; null leaves it to the message's own actions */
  node: GraphNode | null
  /** the label of its button */
  ask?: string
  /** asks for the rest of it, where there is a part */
  rest?: ReactNode
  calm?: boolean
}

function Failure({ message, advice, node, ask = 'Try again', rest, calm }: FailureProps) {
  const tools = useChatTools()
  return (
    <div
      role={calm ? undefined : 'alert'}
      className="mt-3 flex flex-col gap-2 rounded-lg border border-line bg-surface p-3 text-sm"
    >
      <p className="flex gap-2">
        {!calm && <TriangleAlert size={15} aria-hidden className="mt-0.5 shrink-0 text-warn" />}
        <span>
          {message} <span className="text-muted">{advice}</span>
        </span>
      </p>
      {node && !tools.readOnly && (
        <div className="flex flex-wrap gap-2">
          {rest}
          <Button size="sm" disabled={tools.busy} onClick={() => tools.retry(node)}>
            {ask}
          </Button>
          <OtherModels node={node} />
        </div>
      )}
    </div>
  )
}

function OtherModels({ node }: { node: GraphNode }) {
  const { models } = useApp()
  const tools = useChatTools()
  const others = models.filter(({ id }) => id !== tools.model)
  if (others.length === 0) return null
  return (
    <Menu
      trigger={
        <Button size="sm" disabled={tools.busy}>
          Try with another model
        </Button>
      }
    >
      {others.map(({ id, label }) => (
        <MenuItem key={id} onSelect={() => tools.retry(node, id)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
