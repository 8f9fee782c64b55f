'use client'

import Link from 'next/link'
import { useState } from 'react'
import { comparePath } from '@/components/app/paths'
import type { Merging } from '@/components/session/merging'
import { Button } from '@/components/ui/button'
import type { BranchId, MessageId } from '@/lib/events'
import type { GraphIndex } from '@/lib/graph'
import { speakerOf } from '@/lib/graph/speaker'
import type { Proposal } from '@/lib/protocol/remotes/proposals'
import { ProposalState } from './proposal-state'
import { WordsField } from './words-field'

interface ProposalViewProps {
  proposal: Proposal
  index: GraphIndex
  /** the branch that is read: a proposal is taken there unless another is chosen */
  branchId: BranchId
  busy: boolean
  /** asks the server to do something with it; false when that was refused */
  onAsk(what: 'comments' | 'decline' | 'update', body?: object): Promise<boolean>
  onTake(asked: Merging): void
  onBack(): void
}

/** One proposal: its messages, its discussion, and the actions on it. */
export function ProposalView({ proposal, index, branchId, busy, onAsk, onTake, onBack }: ProposalViewProps) {
  const { id, role, title, state, thread_id, head_message_id: headId } = proposal
  const [comment, setComment] = useState('')
  const [about, setAbout] = useState<MessageId | null>(null)
  const [answer, setAnswer] = useState<string | null>(null)
  const [picked, setPicked] = useState<readonly MessageId[]>([])
  const messages = index.byId(headId) ? index.chainTo(headId).slice(-proposal.message_count) : []
  const isOwner = role === 'owner'
  const isOpen = state === 'open'
  const reviewed = { id, title, headId }
  const branchName = index.branch(branchId)?.name ?? ''
  const saidOf = (messageId: MessageId) => index.byId(messageId)?.preview ?? 'a message'
  return (
    <article aria-label={title} className="flex flex-col gap-4">
      <header className="flex flex-col gap-1">
        <div className="flex items-baseline gap-3">
          <h3 dir="auto" className="min-w-0 flex-1 font-medium">
            {title}
          </h3>
          <ProposalState {...proposal} />
        </div>
        <p className="text-muted text-sm">
          {isOwner ? (
            <>
              Proposed by <bdi>{proposal.author}</bdi>
            </>
          ) : (
            'Proposed by you'
          )}
          , {countWords(proposal.message_count)}
        </p>
        {proposal.words !== '' && (
          <p dir="auto" className="whitespace-pre-wrap text-sm">
            {proposal.words}
          </p>
        )}
        {proposal.answer !== null && proposal.answer !== '' && (
          <p dir="auto" className="whitespace-pre-wrap border-line border-l-2 pl-3 text-sm">
            {proposal.answer}
          </p>
        )}
      </header>
      {messages.length > 0 && (
        <ol aria-label="What it adds" className="flex max-h-64 flex-col overflow-y-auto">
          {messages.map((node) => (
            <li key={node.id} className="flex items-start gap-2 border-line border-b py-1.5 text-sm">
              {isOwner && isOpen && (
                <input
                  type="checkbox"
                  aria-label={`Take ${node.preview}`}
                  checked={picked.includes(node.id)}
                  onChange={({ target }) =>
                    setPicked(
                      messages
                        .map((message) => message.id)
                        .filter((one) => (one === node.id ? target.checked : picked.includes(one))),
                    )
                  }
                  className="mt-1 size-4 shrink-0 touch:size-6"
                />
              )}
              <span className="line-clamp-3 min-w-0 flex-1">
                <span className="text-muted">
                  {isOwner && node.role === 'user' ? <bdi>{proposal.author}</bdi> : speakerOf(node.role)}:{' '}
                </span>
                <bdi>{node.preview}</bdi>
              </span>
              {isOpen && (
                <Button
                  look="quiet"
                  size="sm"
                  aria-pressed={about === node.id}
                  onClick={() => setAbout(about === node.id ? null : node.id)}
                >
                  Comment
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
      {proposal.comments.length > 0 && (
        <ul aria-label="Comments" className="flex flex-col gap-2 text-sm">
          {proposal.comments.map((said) => (
            <li key={said.id} className="flex flex-col gap-0.5">
              <span className="min-w-0 text-muted text-xs">
                {said.by === role ? 'You' : said.by === 'owner' ? 'The owner' : <bdi>{proposal.author}</bdi>}
                {said.message_id !== null && (
                  <>
                    {' on '}
                    <bdi className="line-clamp-1 inline">{saidOf(said.message_id)}</bdi>
                  </>
                )}
              </span>
              <span dir="auto" className="whitespace-pre-wrap">
                {said.words}
              </span>
            </li>
          ))}
        </ul>
      )}
      {isOpen && answer === null && (
        <div className="flex flex-col gap-2">
          <WordsField
            label={about === null ? 'Comment' : `Comment on “${saidOf(about)}”`}
            value={comment}
            rows={2}
            onChange={setComment}
          />
          <Button
            className="self-end"
            disabled={busy || comment.trim() === ''}
            onClick={async () => {
              const body = { words: comment, ...(about !== null && { message_id: about }) }
              if (!(await onAsk('comments', body))) return
              setComment('')
              setAbout(null)
            }}
          >
            Send comment
          </Button>
        </div>
      )}
      {answer !== null && (
        <div className="flex flex-col gap-2">
          <WordsField label="Words to the author, if you like" value={answer} onChange={setAnswer} />
          <div className="flex justify-end gap-2">
            <Button onClick={() => setAnswer(null)}>Cancel</Button>
            <Button
              look="primary"
              disabled={busy}
              onClick={async () => {
                if (await onAsk('decline', { words: answer })) setAnswer(null)
              }}
            >
              Decline
            </Button>
          </div>
        </div>
      )}
      <footer className="flex flex-wrap items-center justify-end gap-2">
        <Button look="quiet" className="mr-auto" onClick={onBack}>
          All proposals
        </Button>
        {isOwner && branchName !== '' && (
          <Link
            href={comparePath(index.graph.chatId, branchName, index.branch(thread_id)?.name ?? thread_id)}
            className="text-muted text-sm underline-offset-4 hover:text-ink hover:underline"
          >
            Compare
          </Link>
        )}
        {!isOwner && isOpen && (
          <Button disabled={busy} onClick={() => void onAsk('update')}>
            Update to the branch as it is now
          </Button>
        )}
        {isOwner && isOpen && answer === null && (
          <>
            <Button onClick={() => setAnswer('')}>Decline…</Button>
            {picked.length > 0 ? (
              <Button
                look="primary"
                onClick={() =>
                  onTake({ kind: 'pick', messageIds: picked, targetId: branchId, proposal: reviewed })
                }
              >
                Take {countWords(picked.length)}…
              </Button>
            ) : (
              <Button
                look="primary"
                onClick={() =>
                  onTake({ kind: 'merge', sourceId: thread_id, targetId: branchId, proposal: reviewed })
                }
              >
                Take…
              </Button>
            )}
          </>
        )}
      </footer>
    </article>
  )
}

export const countWords = (count: number): string => (count === 1 ? 'one message' : `${count} messages`)
