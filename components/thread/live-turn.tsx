'use client'

import { useEffect, useState } from 'react'
import { deferred } from '@/components/app/deferred'
import { blocksOf } from '@/components/session/blocks'
import type { Turn } from '@/components/session/turn'
import { loadTurns } from '@/components/session/use-turns'
import { useOnChange } from '@/components/ui/use-on-change'
import { MessageFrame } from './message'
import { MessageParts } from './message-parts'
import { WaitingReply } from './reply-status'

/** The words of a reply as they stream in. It alone renders again with each of them. */
const LiveReply = deferred(async () => {
  const { useReply } = await loadTurns()
  return {
    default: function LiveReply({ turn, onGrow }: Pick<LiveTurnProps, 'turn' | 'onGrow'>) {
      const reply = useReply(turn.chat)

      useOnChange([reply], () => onGrow())

      if (!reply || blocksOf(reply).length === 0) return <NothingYet since={turn.startedAt} />
      return <MessageParts message={reply} streaming />
    },
  }
})

interface LiveTurnProps {
  turn: Turn
  /** the lane the new messages will most likely be in, for their colour */
  lane: number
  /** called when the words on the screen have changed */
  onGrow(): void
}

/** A turn on its way: the message, and the reply to it. */
export function LiveTurn({ turn, lane, onGrow }: LiveTurnProps) {
  useOnChange([turn.user], () => onGrow())

  return (
    <>
      {turn.user && (
        <MessageFrame id={turn.user.id} author="user" status="done" lane={lane} className="arrive">
          <MessageParts message={turn.user} />
        </MessageFrame>
      )}
      <MessageFrame
        id={turn.replyId ?? turn.key}
        author="assistant"
        status="streaming"
        lane={lane}
        className="arrive"
        beside={<Elapsed turn={turn} key={turn.startedAt} />}
      >
        {turn.waiting ? (
          <WaitingReply waiting={turn.waiting} />
        ) : (
          <LiveReply fallback={<p className="caret h-[1.6rem]" />} turn={turn} onGrow={onGrow} />
        )}
      </MessageFrame>
    </>
  )
}

/** Seconds without a word after which the page says that this may be in order. */
const LONG_WAIT = 30

/** The place of the first word. */
function NothingYet({ since }: { since: number }) {
  const seconds = useSecondsSince(since)
  return (
    <>
      <p className="caret h-[1.6rem]" />
      {seconds >= LONG_WAIT && (
        <p role="status" className="text-muted text-sm">
          Nothing came yet. Some models read a long prompt for minutes: you can wait, or stop the reply.
        </p>
      )}
    </>
  )
}

function useSecondsSince(since: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.floor((now - since) / 1000))
}

function Elapsed({ turn }: { turn: Turn }) {
  const { startedAt, stopping, waiting } = turn
  const seconds = useSecondsSince(startedAt)
  return (
    <span className="text-faint text-xs">
      {stopping ? 'Stopping' : waiting ? 'Waiting' : 'Writing'}
      {seconds > 0 && ` · ${seconds} s`}
    </span>
  )
}
