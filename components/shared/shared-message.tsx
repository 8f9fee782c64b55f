'use client'

import { CircleStop, GitMerge, Shrink } from 'lucide-react'
import { useLaneColor } from '@/components/app/lane'
import { blocksOf } from '@/components/session/blocks'
import type { JoinedMessage } from '@/components/session/joined-messages'
import { modelName } from '@/components/thread/facts'
// at once, not when they are needed: the page is read as the server sends it
import Markdown from '@/components/thread/markdown/markdown'
import { PlainFallback } from '@/components/thread/markdown/plain-fallback'
import { PlainText } from '@/components/thread/markdown/plain-text'
import { tooMuch } from '@/components/thread/message-body'
import OtherBlock from '@/components/thread/parts/other-block'
import { cn } from '@/components/ui/cn'
import { speakerOf } from '@/lib/graph/speaker'
import { isCostly } from '@/lib/markdown/markdown-cost'
import type { SharedMessage as Shared } from '@/lib/protocol'
import { messageAnchor } from './shared-path'

const notes = {
  merge: { Icon: GitMerge, words: 'Brought over from another branch' },
  summary: { Icon: Shrink, words: 'Stands for earlier messages' },
}

interface SharedMessageProps extends Omit<JoinedMessage<Shared>, 'at'> {
  /** the name of the person whose chat it is */
  person: string
}

/** A message of another person's chat, to be read. */
export function SharedMessage({ message, answeredIn, person }: SharedMessageProps) {
  const laneColor = useLaneColor()
  const { id, role, lane, note, metadata } = message
  const isUser = role === 'user'
  const { model, status } = metadata ?? {}
  const noted = note && notes[note]
  const speaker = isUser && !note ? person : speakerOf('assistant')
  return (
    <article
      id={messageAnchor(id)}
      data-message-id={id}
      data-role={role}
      data-status={status ?? 'done'}
      aria-label={speaker}
      className="scroll-mt-4 rounded-lg target:bg-ink/3"
    >
      {answeredIn.map((answer) => (
        <span key={answer} id={messageAnchor(answer)} className="scroll-mt-4" />
      ))}
      <div
        className={cn('border-l-2 py-1 pl-4', !isUser && 'border-transparent')}
        style={isUser ? { borderColor: laneColor(lane) } : undefined}
      >
        <div className="flex min-h-7 items-center gap-3 text-xs">
          <span className="font-medium text-muted">
            <bdi>{speaker}</bdi>
          </span>
          {model && <span className="min-w-0 truncate text-faint">{modelName([], model)}</span>}
        </div>
        {noted && (
          <p className="flex min-h-6 items-center gap-1.5 pb-1 text-muted text-sm">
            <noted.Icon size={13} aria-hidden className="shrink-0 text-faint" />
            {noted.words}
          </p>
        )}
        <div className="flex flex-col gap-3">
          {blocksOf(message).map((block, at) => {
            const key = `${id} ${at}`
            return block.kind === 'text' ? (
              <Words key={key} text={block.text} written={isUser && !note} />
            ) : (
              <OtherBlock key={key} block={block} id={key} live={false} />
            )
          })}
        </div>
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

/** @param written by a person: shown as it was written, not as Markdown */
function Words({ text, written }: { text: string; written: boolean }) {
  if (written) return <PlainText text={text} />
  if (isCostly(text)) return <PlainText text={text} reason={tooMuch} />
  return (
    <PlainFallback fallback={<PlainText text={text} />}>
      <Markdown text={text} streaming={false} />
    </PlainFallback>
  )
}
