'use client'

import { useChat } from '@ai-sdk/react'
import { useEffect, useState } from 'react'
import { MessageFrame } from './message'
import { MessageBody } from './message-body'
import { messageText } from './message-text'
import { restartId } from './transport'
import type { Turn } from './turn'

interface LiveTurnProps {
  turn: Turn
  /** the lane the new messages will most likely be in, for their colour */
  lane: number
  /** called when the words on the screen have changed */
  onGrow(): void
}

/** A turn on its way. It alone renders again while words stream in. */
export function LiveTurn({ turn, lane, onGrow }: LiveTurnProps) {
  const { messages } = useChat({ chat: turn.chat, throttle: 50 })
  const reply = messages.findLast(({ role, id }) => role === 'assistant' && id !== restartId)
  const text = reply ? messageText(reply) : ''

  // biome-ignore lint/correctness/useExhaustiveDependencies: the words are what grows
  useEffect(() => onGrow(), [text, turn.user])

  return (
    <>
      {turn.user && (
        <MessageFrame id={turn.user.id} author="user" status="done" lane={lane} className="arrive">
          <MessageBody author="user" text={messageText(turn.user)} />
        </MessageFrame>
      )}
      <MessageFrame
        id={turn.replyId ?? turn.key}
        author="assistant"
        status="streaming"
        lane={lane}
        className="arrive"
        beside={<Elapsed since={turn.startedAt} stopping={turn.stopping} />}
      >
        {text === '' ? <p className="caret h-6" /> : <MessageBody author="assistant" text={text} streaming />}
      </MessageFrame>
    </>
  )
}

function Elapsed({ since, stopping }: { since: number; stopping: boolean }) {
  const [now, setNow] = useState(since)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.floor((now - since) / 1000))
  return (
    <span className="text-faint text-xs">
      {stopping ? 'Stopping' : 'Writing'}
      {seconds > 0 && ` · ${seconds} s`}
    </span>
  )
}
