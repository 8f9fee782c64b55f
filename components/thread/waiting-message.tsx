'use client'

import { Clock, Paperclip, Pencil, X } from 'lucide-react'
import type { NextMessage } from '@/components/session/next-message'
import { Button, IconButton } from '@/components/ui/button'

interface WaitingMessageProps {
  next: NextMessage & { sendNow(): void; edit(): void; remove(): void }
  /** a reply is being written */
  busy: boolean
}

const whys = {
  stopped: 'Not sent: the reply was stopped',
  failed: 'Not sent: the reply failed',
  unsent: 'Not sent: there was no reply',
}

/** The message that is sent when the reply ends, above the box. */
export default function WaitingMessage({ next, busy }: WaitingMessageProps) {
  const { phase, text, files = [], sendNow, edit, remove } = next
  const isHeld = phase.is === 'held'
  return (
    <section
      aria-label="Waiting message"
      className="arrive mb-2 flex flex-col gap-1 rounded-xl border border-line border-dashed bg-surface py-1.5 pr-2 pl-3 text-sm"
    >
      <div className="flex min-h-7 items-center gap-2">
        <p role="status" className="flex min-w-0 flex-1 items-center gap-2 text-muted">
          <Clock size={14} aria-hidden className="shrink-0" />
          {isHeld ? whys[phase.why] : 'Waiting: sends when the reply ends'}
        </p>
        {isHeld && (
          <Button size="sm" disabled={busy} onClick={sendNow} className="touch:h-11">
            Send now
          </Button>
        )}
        <IconButton label="Edit the waiting message" size="tool" Icon={Pencil} onClick={edit} />
        <IconButton label="Remove the waiting message" size="tool" Icon={X} onClick={remove} />
      </div>
      <p dir="auto" className="line-clamp-3 whitespace-pre-wrap pb-1 [overflow-wrap:anywhere]">
        {text}
      </p>
      {files.length > 0 && (
        <p className="flex items-center gap-1.5 pb-1 text-muted text-xs">
          <Paperclip size={12} aria-hidden className="shrink-0" />
          <bdi className="truncate">{files.map(({ filename }) => filename).join(', ')}</bdi>
        </p>
      )}
    </section>
  )
}
