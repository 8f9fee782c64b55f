'use client'

import { CircleStop, CornerDownRight, GitBranch } from 'lucide-react'
import Link from 'next/link'
import { branchFromHere } from '@/components/actions/on-message'
import { messagePath } from '@/components/app/paths'
import { blocksOf } from '@/components/session/blocks'
import { wordsOf } from '@/components/session/messages'
import { PlainText } from '@/components/thread/markdown/plain-text'
import { OtherBlocks } from '@/components/thread/message-parts'
import type { Range, WordDiff } from '@/lib/graph/diff/diff-words'
import { speakerOf } from '@/lib/graph/speaker'
import type { ChatMessage, ComparedSide } from '@/lib/protocol'
import { IconButton } from '../ui/button'
import { cn } from '../ui/cn'
import { Hint } from '../ui/hint'
import { MarkedBody } from './marked-body'
import { useCompare, type Which } from './sides'

interface ComparedMessageProps {
  message: ChatMessage
  which: Which
  side: ComparedSide
  /** the difference to the message beside it; null without one */
  diff: WordDiff | null
  /** its words are drawn in a moment */
  passing: boolean
}

/** A message of one side, with the words it has alone marked. */
export function ComparedMessage({ message, which, side, diff, passing }: ComparedMessageProps) {
  const isUser = message.role === 'user'
  const ranges: readonly Range[] = diff?.kind === 'changed' ? diff[which] : []
  const { model, status } = message.metadata ?? {}
  // only words are compared: everything else stands as it is
  const others = blocksOf(message).filter(({ kind }) => kind !== 'text')
  return (
    <article
      tabIndex={-1}
      data-message-id={message.id}
      data-role={message.role}
      data-status={status ?? 'done'}
      data-side={which}
      aria-label={`${speakerOf(message.role)}, ${side.branch.title}`}
      className="group/message h-full rounded-lg py-2 outline-offset-0"
    >
      <div className={cn('border-l-2 pl-4', isUser ? 'border-(--side)' : 'border-transparent')}>
        <div className="flex min-h-7 items-center gap-2 text-xs">
          <span className="font-medium text-muted">{speakerOf(message.role)}</span>
          {model && model !== side.model && <span className="min-w-0 truncate text-faint">{model}</span>}
          {diff && diff.kind !== 'changed' && (
            <span className="text-faint">{diff.kind === 'same' ? 'the same' : 'all different'}</span>
          )}
          <MessageActions message={message} which={which} side={side} />
        </div>
        {others.length > 0 && (
          <div className="flex flex-col gap-2 pb-2">
            <OtherBlocks blocks={others} of={`${which} ${message.id}`} />
          </div>
        )}
        {passing ? (
          <PlainText text={wordsOf(message)} passing />
        ) : (
          <MarkedBody author={message.role} text={wordsOf(message)} side={which} ranges={ranges} />
        )}
        {status && (
          <p className="flex items-center gap-1.5 pt-2 text-muted text-sm">
            <CircleStop size={14} aria-hidden />
            {status === 'stopped' ? 'Stopped here.' : 'The reply broke off here.'}
          </p>
        )}
      </div>
    </article>
  )
}

/** The actions of a message; like those of the thread they show on hover and focus. */
function MessageActions({ message, which, side }: Omit<ComparedMessageProps, 'diff' | 'passing'>) {
  const { chatId, branchFrom, moving } = useCompare()
  return (
    <div
      className={cn(
        '-my-1 touch:-my-2 ml-auto flex shrink-0 items-center opacity-0 transition-opacity touch:opacity-100',
        'group-focus-within/message:opacity-100 group-hover/message:opacity-100 group-focus/message:opacity-100',
      )}
    >
      <Hint text="Open">
        <Link
          aria-label="Open"
          href={messagePath({ chatId, messageId: message.id, branch: side.branch })}
          prefetch={false}
          className="inline-flex size-7 items-center justify-center rounded-md text-muted transition-colors hover:bg-ink/6 hover:text-ink touch:size-11"
        >
          <CornerDownRight size={14} aria-hidden />
        </Link>
      </Hint>
      <IconButton
        label={branchFromHere.label}
        hint={branchFromHere.keys}
        size="tool"
        Icon={GitBranch}
        disabled={moving}
        onClick={() => branchFrom(which, message.id)}
      />
    </div>
  )
}
