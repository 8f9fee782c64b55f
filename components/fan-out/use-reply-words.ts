'use client'

import { type Dispatch, useRef, useState } from 'react'
import type { ChatAction } from '@/components/session/chat-session'
import { chatUrl } from '@/components/session/read-chat'
import { useOnChange } from '@/components/ui/use-on-change'
import type { ChatId, RunId } from '@/lib/events'
import type { RepliesBeside } from '@/lib/graph'
import { openReplies, type ReplyWords } from './follow-replies'

/** The pauses before a stream that broke off is opened again, in ms; the last one repeats. */
const patience = [250, 1000, 2000, 4000, 8000, 15_000] as const
/** Words that come within this time are drawn together, in ms. */
const beat = 50

/** The words of the replies that are being written, by run. Stored messages are put into the graph. */
export function useReplyWords(
  chatId: ChatId,
  { messageId, replies }: RepliesBeside,
  readTo: number,
  dispatch: Dispatch<ChatAction>,
): ReadonlyMap<RunId, ReplyWords> {
  const [words, setWords] = useState<ReadonlyMap<RunId, ReplyWords>>(new Map())
  const [attempt, setAttempt] = useState(0)
  const open = useRef<{ runs: ReadonlySet<RunId>; close(): void } | null>(null)
  const fresh = useRef(new Map<RunId, ReplyWords>())
  const timers = useRef<Partial<Record<'draw' | 'again', ReturnType<typeof setTimeout>>>>({})
  const tries = useRef(0)
  const runs = replies.flatMap(({ run }) => (run ? [run.runId] : []))

  const draw = () => {
    timers.current.draw = undefined
    const now = fresh.current
    fresh.current = new Map()
    setWords((before) => new Map([...before, ...now]))
  }

  useOnChange([messageId, runs.join(' '), attempt], () => {
    if (runs.length === 0 || runs.every((run) => open.current?.runs.has(run))) return
    open.current?.close()
    const close = openReplies(chatUrl('chats', chatId, 'replies', { message: messageId, since: readTo }), {
      onWords(runId, now) {
        tries.current = 0
        fresh.current.set(runId, now)
        timers.current.draw ??= setTimeout(draw, beat)
      },
      onStored(delta, message) {
        dispatch({ type: 'delta', delta, bodies: message ? [message] : [] })
      },
      onEnd() {
        open.current = null
        const pause = patience[Math.min(tries.current++, patience.length - 1)]
        timers.current.again = setTimeout(() => setAttempt((count) => count + 1), pause)
      },
    })
    open.current = { runs: new Set(runs), close }
  })

  useOnChange([messageId], () => () => {
    open.current?.close()
    open.current = null
    const { draw: drawing, again } = timers.current
    clearTimeout(drawing)
    clearTimeout(again)
    timers.current = {}
  })
  return words
}
