'use client'

import { Copy, GitMerge, GitPullRequest, Shrink } from 'lucide-react'
import type { ReactNode } from 'react'
import { useChatTools } from '@/components/session/chat-context'
import type { CompactNote, MergeNote, MessageId } from '@/lib/events'
import type { ChatMessage } from '@/lib/protocol'

/** Origin of a message that has more than its author: a copy, a merge, a summary. */
export default function Origin({ message }: { message: Pick<ChatMessage, 'metadata'> }) {
  const { copiedFrom, merge, compact, mergeParent, sharedFrom, proposed } = message.metadata ?? {}
  // a copy of a merge is a copy
  if (copiedFrom !== undefined)
    return <CopyOrigin id={copiedFrom} merges={mergeParent !== undefined} by={proposed?.by} />
  if (merge) return <MergeOrigin merge={merge} />
  if (compact) return <CompactOrigin compact={compact} />
  if (proposed) return <ProposedOrigin by={proposed.by} />
  if (sharedFrom !== undefined) return <SharedOrigin />
  return null
}

const line = 'flex min-h-6 min-w-0 items-center gap-1.5 pb-1 text-muted text-sm'

function CopyOrigin({ id, merges, by }: { id: MessageId; merges: boolean; by: string | undefined }) {
  const { branchOf } = useChatTools()
  return (
    <p className={line}>
      <Copy size={13} aria-hidden className="shrink-0 text-faint" />
      <span>Copied from </span>
      <Link to={id}>
        <bdi>{branchOf(id) ?? 'another branch'}</bdi>
      </Link>
      {by !== undefined && (
        <span className="text-faint">
          · proposed by <bdi>{by}</bdi>
        </span>
      )}
      {merges && <span className="text-faint">· the last of a merge</span>}
    </p>
  )
}

function ProposedOrigin({ by }: { by: string }) {
  return (
    <p className={line}>
      <GitPullRequest size={13} aria-hidden className="shrink-0 text-faint" />
      <span className="min-w-0 truncate">
        Proposed by <bdi>{by}</bdi>
      </span>
    </p>
  )
}

function SharedOrigin() {
  return (
    <p className={line}>
      <Copy size={13} aria-hidden className="shrink-0 text-faint" />
      Copied from a shared chat
    </p>
  )
}

function MergeOrigin({ merge }: { merge: MergeNote }) {
  const { branchCalled } = useChatTools()
  const { sourceBranchId, sourceBranch, sourceHeadId, quotes, conflicts } = merge
  return (
    <div className="mb-2 rounded-lg border border-line bg-surface px-3 py-2">
      <p className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-1.5 text-sm">
        <GitMerge size={14} aria-hidden className="shrink-0 text-accent" />
        <span className="text-muted">Merged from </span>
        <Link to={sourceHeadId}>
          <bdi>{branchCalled(sourceBranchId) ?? sourceBranch}</bdi>
        </Link>
        {conflicts.length > 0 && (
          <span className="text-faint text-xs tabular-nums">
            {conflicts.length === 1 ? 'one contradiction' : `${conflicts.length} contradictions`}
          </span>
        )}
      </p>
      {quotes.length > 0 && (
        <details className="text-sm">
          <summary className="w-fit cursor-pointer text-faint text-xs leading-6 hover:text-ink">
            {quotes.length === 1 ? 'One quote' : `${quotes.length} quotes`}
          </summary>
          <ul className="flex flex-col gap-1 py-1">
            {quotes.map(({ messageId, text }) => (
              <li key={`${messageId} ${text}`} className="border-line border-l-2 pl-3">
                <Link to={messageId}>
                  <span dir="auto" className="line-clamp-3 text-left">
                    {text}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function CompactOrigin({ compact }: { compact: CompactNote }) {
  const { branchCalled } = useChatTools()
  const { sourceBranchId, sourceBranch, untilId, count } = compact
  return (
    <p className={line}>
      <Shrink size={13} aria-hidden className="shrink-0 text-faint" />
      <span className="min-w-0">
        Stands for {count === 1 ? 'one message' : `${count} messages`} of{' '}
        <Link to={untilId}>
          <bdi>{branchCalled(sourceBranchId) ?? sourceBranch}</bdi>
        </Link>
      </span>
    </p>
  )
}

function Link({ to, children }: { to: MessageId; children: ReactNode }) {
  const { openMessage } = useChatTools()
  return (
    <button
      type="button"
      onClick={() => openMessage(to)}
      className="min-w-0 max-w-full text-left text-ink underline decoration-line-strong underline-offset-4 hover:decoration-accent touch:min-h-11"
    >
      {children}
    </button>
  )
}
