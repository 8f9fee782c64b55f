'use client'

import { Clock, Paperclip, Pencil, X } from 'lucide-react'
import type { NextMessage } from '@/components/session/next-message'
import type { useSending } from '@/components/session/use-sending'
import { Button, IconButton } from '@/components/ui/button'

type Sending = ReturnType<typeof useSending>

interface WaitingMessagesProps extends Pick<Sending, 'next' | 'sendNext' | 'editNext' | 'removeNext'> {
  /** a reply is being written */
  busy: boolean
}

const whys = {
  stopped: 'Not sent: the reply was stopped',
  failed: 'Not sent: the reply failed',
  unsent: 'Not sent: there was no reply',
}

/** The messages that are sent one by one as the replies before them end, above the box. */
export default function WaitingMessages({
  next,
  sendNext,
  editNext,
  removeNext,
  busy,
}: WaitingMessagesProps) {
  return (
    <ol aria-label="Waiting messages" className="mb-2 flex max-h-[40dvh] flex-col gap-2 overflow-y-auto">
      {next.map((message, at) => (
        <li
          key={message.id}
          className="arrive flex flex-col gap-1 rounded-xl border border-line border-dashed bg-surface py-1.5 pr-2 pl-3 text-sm"
        >
          <div className="flex min-h-7 items-center gap-2">
            <p role="status" className="flex min-w-0 flex-1 items-center gap-2 text-muted">
              <Clock size={14} aria-hidden className="shrink-0" />
              {at === 0 ? stateOf(message) : 'Waiting: sends after the one above'}
            </p>
            {at === 0 && message.phase.is === 'held' && (
              <Button size="sm" disabled={busy} onClick={sendNext}>
                Send now
              </Button>
            )}
            <IconButton
              label="Edit the waiting message"
              size="tool"
              Icon={Pencil}
              onClick={() => editNext(message.id)}
            />
            <IconButton
              label="Remove the waiting message"
              size="tool"
              Icon={X}
              onClick={() => removeNext(message.id)}
            />
          </div>
          <p dir="auto" className="line-clamp-3 whitespace-pre-wrap pb-1 [overflow-wrap:anywhere]">
            {message.text}
          </p>
          <FileNames files={message.files} />
        </li>
      ))}
    </ol>
  )
}

const stateOf = ({ phase }: NextMessage): string =>
  phase.is === 'held' ? whys[phase.why] : 'Waiting: sends when the reply ends'

function FileNames({ files = [] }: Pick<NextMessage, 'files'>) {
  if (files.length === 0) return null
  return (
    <p className="flex items-center gap-1.5 pb-1 text-muted text-xs">
      <Paperclip size={12} aria-hidden className="shrink-0" />
      <bdi className="truncate">{files.map(({ filename }) => filename).join(', ')}</bdi>
    </p>
  )
}
