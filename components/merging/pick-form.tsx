'use client'

import { useState } from 'react'
import { BranchPicker } from '@/components/app/branch-picker'
import { plainPreview } from '@/components/app/plain-preview'
import { Button } from '@/components/ui/button'
import type { BranchId, MessageId } from '@/lib/events'
import type { GraphIndex } from '@/lib/graph'
import { branchLines } from '@/lib/graph/branch-lines'
import { speakerOf } from '@/lib/graph/speaker'

interface PickFormProps {
  index: GraphIndex
  branchId: BranchId
  messageIds: readonly MessageId[]
  isProposal?: boolean
  /** copies the messages; false when that was refused */
  onPick(target: BranchId, messageIds: readonly MessageId[]): Promise<boolean>
  onCancel(): void
}

/** Form that copies messages: the target branch, and the messages, with the reply to a question or without it. */
export function PickForm({
  index,
  branchId,
  messageIds,
  isProposal = false,
  onPick,
  onCancel,
}: PickFormProps) {
  const [withReply, setWithReply] = useState(true)
  const [busy, setBusy] = useState(false)
  const only = messageIds.length === 1 ? messageIds[0] : undefined
  const rest = only === undefined ? null : turnOf(index, only)
  const picked = rest && withReply ? rest : messageIds
  /** branches that have none of these messages */
  const possible = () =>
    branchLines(index).filter(({ id }) => {
      const head = index.branch(id)?.headId ?? null
      return !picked.some((message) => index.isOnChain(message, head))
    })
  const [targetId, setTargetId] = useState(branchId)
  const lines = possible()
  const target =
    lines.find(({ id }) => id === targetId) ?? lines.find(({ archivedAt }) => archivedAt === null) ?? lines[0]
  const pick = async () => {
    if (!target) return
    setBusy(true)
    if (!(await onPick(target.id, picked))) setBusy(false)
  }
  return (
    <>
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-5 pt-3 pb-5 text-sm">
        <ol className="flex max-h-64 flex-col gap-1 overflow-y-auto" aria-label="What is copied">
          {picked.map((id) => {
            const node = index.byId(id)
            return (
              <li key={id} className="flex min-w-0 gap-2 rounded-md border border-line px-3 py-1.5">
                <span className="w-16 shrink-0 text-faint text-xs leading-5">
                  {speakerOf(node?.role ?? '')}
                </span>
                <span dir="auto" className="line-clamp-2 min-w-0">
                  {plainPreview(node?.preview ?? '') || '…'}
                </span>
              </li>
            )
          })}
        </ol>
        {rest && (
          <label className="flex min-h-8 items-center gap-2">
            <input
              type="checkbox"
              checked={withReply}
              onChange={(event) => setWithReply(event.target.checked)}
              className="accent-(--accent)"
            />
            {index.byId(only ?? '')?.role === 'assistant' ? 'With its question' : 'With its reply'}
          </label>
        )}
        {target ? (
          <div className="flex flex-wrap items-center gap-2">
            <span className="text-muted">to the end of</span>
            <BranchPicker
              label="Copy to"
              branch={target}
              lines={possible}
              onChange={setTargetId}
              className="max-w-72 border border-line text-ink"
            />
          </div>
        ) : (
          <p className="text-muted">Every branch has these messages already.</p>
        )}
      </div>
      <div className="flex items-center justify-end gap-2 border-line border-t px-5 py-3">
        <p className="mr-auto text-faint text-xs max-sm:hidden">
          {isProposal ? 'The proposal ends with it.' : 'The originals stay.'} Undo takes the copies back.
        </p>
        <Button onClick={onCancel}>Cancel</Button>
        <Button look="primary" disabled={!target || busy} onClick={() => void pick()}>
          {isProposal ? 'Take' : 'Bring along'}
        </Button>
      </div>
    </>
  )
}

/** A question and its one reply, of which the message is a part; null where there is no other part. */
function turnOf(index: GraphIndex, id: MessageId): readonly MessageId[] | null {
  const node = index.byId(id)
  if (node?.role === 'assistant') {
    const question = index.parentOf(id)
    return question?.role === 'user' ? [question.id, id] : null
  }
  const replies = index.childrenOf(id).filter(({ role }) => role === 'assistant')
  const [reply] = replies
  return reply && replies.length === 1 ? [id, reply.id] : null
}
