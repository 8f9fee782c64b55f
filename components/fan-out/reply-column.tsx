'use client'

import { Check, CircleStop, TriangleAlert } from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { useApp } from '@/components/app/app-context'
import { blocksOf } from '@/components/session/blocks'
import { wordsOf } from '@/components/session/messages'
import { CopyButton } from '@/components/thread/copy-button'
import { modelName, tokenWords } from '@/components/thread/facts'
import { MessageParts } from '@/components/thread/message-parts'
import { WaitingReply } from '@/components/thread/reply-status'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/skeleton'
import { useOnChange } from '@/components/ui/use-on-change'
import type { BranchId, RunId } from '@/lib/events'
import { branchTitle, type GraphIndex, type ReplyBeside } from '@/lib/graph'
import type { ChatMessage } from '@/lib/protocol'
import type { ReplyWords } from './follow-replies'

interface ReplyColumnProps {
  index: GraphIndex
  reply: ReplyBeside
  /** its place, from 1, and how many there are */
  place: number
  count: number
  /** the stored reply, once it is loaded */
  message: ChatMessage | undefined
  /** the words so far of a reply that is being written */
  words: ReplyWords | undefined
  /** difference of its context from the contexts of the others */
  context: string | undefined
  /** on the branch being read: the next message goes on from it */
  isHere: boolean
  stopping: boolean
  /** one of them is being kept: nothing can be chosen until that is done */
  choosing: boolean
  /** another one is kept: it has gone to its row in the graph */
  isFolded: boolean
  on: ColumnActions
}

export interface ColumnActions {
  stop(runId: RunId): void
  keep(branchId: BranchId): void
  /** asks once more, where nothing came */
  again(branchId: BranchId): void
}

/** One of several replies, in a column with a scroll of its own: drawn again with its own words alone. */
export const ReplyColumn = memo(function ReplyColumn({
  index,
  reply,
  place,
  count,
  ...props
}: ReplyColumnProps) {
  const { message, words, context, isHere, stopping, choosing, isFolded, on } = props
  const { models } = useApp()
  const { branch, node, run } = reply
  const shown = message ?? words?.message ?? undefined
  const status = node?.status ?? (run ? 'streaming' : 'failed')
  const model = message?.metadata?.model ?? run?.model ?? words?.message?.metadata?.model
  const box = useRef<HTMLElement>(null)
  useEndInSight(box, run !== null, shown)

  return (
    <article
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a reply is one stop of Tab, and scrolls by keys
      tabIndex={0}
      data-message-id={node?.id ?? run?.replyId ?? `${branch.id} failed`}
      data-branch={branch.id}
      data-role="assistant"
      data-status={status}
      aria-label={`Reply ${place} of ${count}${model ? `, ${modelName(models, model)}` : ''}`}
      aria-busy={run !== null}
      className={cn(
        'group/message flex max-h-[min(68dvh,46rem)] min-h-40 min-w-0 snap-start flex-col overflow-y-auto overscroll-contain rounded-lg border border-line bg-raised',
        isFolded && 'invisible',
      )}
    >
      <header className="sticky top-0 z-10 flex min-h-10 shrink-0 items-center gap-2 border-line border-b bg-raised px-4 py-1">
        <span className="shrink-0 text-faint text-xs tabular-nums" aria-hidden>
          {place}
        </span>
        <span className="min-w-0 flex-1">
          <bdi className="block truncate font-medium text-muted text-sm">
            {model ? modelName(models, model) : branchTitle(index, branch.id)}
          </bdi>
          {context && (
            <bdi title={context} className="block truncate text-faint text-xs">
              {context}
            </bdi>
          )}
        </span>
        {isHere && (
          <span title="What you send next goes on from here" className="shrink-0 text-accent text-xs">
            here
          </span>
        )}
        {run && <Progress words={words} stopping={stopping} />}
      </header>
      <div className="min-w-0 flex-1 px-4 py-3">
        {shown && blocksOf(shown).length > 0 ? (
          <MessageParts message={shown} streaming={run !== null && !message} />
        ) : run ? (
          words?.waiting ? (
            <WaitingReply waiting={words.waiting} />
          ) : (
            <p className="caret h-[1.6rem]" />
          )
        ) : node ? (
          <Skeleton className="h-24 w-full" />
        ) : null}
        <Ending reply={reply} message={message} />
      </div>
      <footer
        data-message-actions
        className="sticky bottom-0 flex min-h-11 shrink-0 items-center gap-2 border-line border-t bg-raised px-3 py-1.5"
      >
        <Button size="sm" disabled={choosing || (!run && !node)} onClick={() => on.keep(branch.id)}>
          <Check size={14} aria-hidden /> Keep this one
        </Button>
        {run && (
          <Button size="sm" disabled={stopping || choosing} onClick={() => on.stop(run.runId)}>
            Stop
          </Button>
        )}
        {!run && !node && (
          <Button size="sm" disabled={choosing} onClick={() => on.again(branch.id)}>
            Try again
          </Button>
        )}
        {message && (
          <span className="ml-auto flex min-w-0 items-center gap-1">
            <span className="min-w-0 truncate text-faint text-xs tabular-nums max-sm:hidden">
              {tokenWords(message.metadata?.usage)}
            </span>
            <CopyButton label="Copy" text={wordsOf(message)} />
          </span>
        )}
      </footer>
    </article>
  )
})

function Progress({ words, stopping }: { words: ReplyWords | undefined; stopping: boolean }) {
  const says = stopping ? 'Stopping' : words?.waiting ? 'Waiting' : 'Writing'
  return <span className="shrink-0 text-faint text-xs">{says}</span>
}

/** Note on a reply that ended badly, or in which a tool waits for the person. */
function Ending({ reply: { node, run, branch }, message }: Pick<ReplyColumnProps, 'reply' | 'message'>) {
  const asks = message?.parts.some((part) => 'state' in part && part.state === 'approval-requested')
  if (asks)
    return <p className="pt-2 text-muted text-sm">A tool waits for you: keep this reply to answer it.</p>
  if (node?.status === 'stopped') {
    return (
      <p className="flex items-center gap-1.5 pt-2 text-muted text-sm">
        <CircleStop size={14} aria-hidden /> You stopped this reply here.
      </p>
    )
  }
  const failure = node?.status === 'failed' ? message?.metadata?.error : !node && !run ? branch.failure : null
  if (node?.status !== 'failed' && !failure) return null
  const calm = failure?.kind === 'stopped'
  return (
    <p role={calm ? undefined : 'alert'} className={cn('flex gap-2 text-sm', node && 'pt-2')}>
      {!calm && <TriangleAlert size={15} aria-hidden className="mt-0.5 shrink-0 text-warn" />}
      <span>
        {failure?.message ?? 'This reply was cut off.'} <span className="text-muted">{failure?.advice}</span>
      </span>
    </p>
  )
}

/** Distance from the end that still counts as the end, in px. */
const near = 48

/** Keeps the end of a reply in sight while it is written, until the reader scrolls up in it. */
function useEndInSight(box: React.RefObject<HTMLElement | null>, isOn: boolean, grown: unknown): void {
  const stuck = useRef(true)
  useEffect(() => {
    const element = box.current
    if (!element || !isOn) return
    const onScroll = () => {
      stuck.current = element.scrollHeight - element.scrollTop - element.clientHeight < near
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => element.removeEventListener('scroll', onScroll)
  }, [box, isOn])
  useOnChange([box, isOn, grown], () => {
    if (isOn && stuck.current) box.current?.scrollTo({ top: box.current.scrollHeight })
  })
}
