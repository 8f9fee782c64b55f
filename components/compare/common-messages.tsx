'use client'

import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { LoadFailed } from '@/components/app/notice'
import { ThreadSkeleton } from '@/components/app/skeletons'
import { blocksOf } from '@/components/session/blocks'
import { joinedMessages } from '@/components/session/joined-messages'
import { wordsOf } from '@/components/session/messages'
import { messagesUrl, useLoaded } from '@/components/session/read-chat'
import { MessageBody } from '@/components/thread/message-body'
import { OtherBlocks } from '@/components/thread/message-parts'
import { counted } from '@/lib/events/counted'
import { speakerOf } from '@/lib/graph/speaker'
import type { ChatMessage, Comparison, ThreadWindow } from '@/lib/protocol'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'

/** Messages that are fetched at a time. */
const page = 50

/** The messages both branches share: one line, that opens. */
export function CommonMessages({ comparison }: { comparison: Comparison }) {
  const id = useId()
  const { chatId, common, left } = comparison
  const [open, setOpen] = useState(false)
  const [messages, setMessages] = useState<ChatMessage[]>([])
  const [start, setStart] = useState(common)
  const [wanted, setWanted] = useState(false)
  const { problem, again } = useLoaded<ThreadWindow>(
    wanted ? messagesUrl(chatId, left.branch.id, start, page) : null,
    (earlier) => {
      setMessages([...earlier.messages, ...messages])
      setStart(earlier.start)
      setWanted(false)
    },
  )
  const toggle = () => {
    setOpen(!open)
    if (open || messages.length > 0) return
    setWanted(true)
    again()
  }

  if (common === 0) {
    return (
      <p className="px-4 text-center text-muted text-sm">No message in common: they begin differently.</p>
    )
  }
  return (
    <div className="w-full">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={toggle}
        className="mx-auto flex h-8 items-center gap-1.5 rounded-md px-2 text-muted text-sm hover:bg-ink/6 hover:text-ink touch:h-11"
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={cn('transition-transform motion-reduce:transition-none', open && 'rotate-90')}
        />
        {counted(common, 'message')} in common
      </button>
      <div id={id} hidden={!open} className="mx-auto max-w-[720px] px-3 pt-3 pb-4 sm:px-5">
        {problem && <LoadFailed problem={problem} onAgain={again} />}
        {start > 0 && messages.length > 0 && !problem && (
          <Button look="quiet" size="sm" onClick={() => setWanted(true)}>
            Show earlier messages
          </Button>
        )}
        {messages.length === 0 && !problem && <ThreadSkeleton rows={2} />}
        {joinedMessages(messages).map(({ message }) => (
          <CommonMessage key={message.id} message={message} />
        ))}
      </div>
    </div>
  )
}

function CommonMessage({ message }: { message: ChatMessage }) {
  const isUser = message.role === 'user'
  const others = blocksOf(message).filter(({ kind }) => kind !== 'text')
  return (
    <article
      data-message-id={message.id}
      data-role={message.role}
      aria-label={speakerOf(message.role)}
      className="px-1 pt-2 pb-3"
    >
      <div className={cn('border-l-2 pl-4', isUser ? 'border-line-strong' : 'border-transparent')}>
        <p className="flex h-7 items-center font-medium text-muted text-xs">{speakerOf(message.role)}</p>
        {others.length > 0 && (
          <div className="flex flex-col gap-2 pb-2">
            <OtherBlocks blocks={others} of={message.id} />
          </div>
        )}
        <MessageBody author={message.role} text={wordsOf(message)} />
      </div>
    </article>
  )
}
