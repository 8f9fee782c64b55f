'use client'

import { createContext, use } from 'react'
import { deferred } from '@/components/app/deferred'
import { plainPreview } from '@/components/app/plain-preview'
import { wordsOf } from '@/components/session/messages'
import { loadTurns } from '@/components/session/use-turns'
import type { MessageId } from '@/lib/events'
import type { WritingReply } from '../model/graph-props'

/** The replies on their way whose words this page receives. */
export const Writing = createContext<readonly WritingReply[]>([])

/** So many of the last letters run in a row. */
const kept = 400

/** It alone renders again with each of its words. */
const Running = deferred(
  async () => {
    const { useReply } = await loadTurns()
    return {
      default: function Running({ chat }: Pick<WritingReply, 'chat'>) {
        const reply = useReply(chat)
        const words = reply ? plainPreview(wordsOf(reply).slice(-kept).replace(/\s+/g, ' ')) : ''
        return <bdi>{words}</bdi>
      },
    }
  },
  { keepsFallback: 'untold' },
)

/** The words of a reply as they are written, the last ones in sight; `fallback` where they come from elsewhere. */
export function LiveWords({ id, fallback }: { id: MessageId; fallback: string }) {
  const writing = use(Writing).find(({ replyId }) => replyId === id)
  if (!writing) return <bdi className="caret truncate">{fallback}</bdi>
  return (
    <span className="caret flex min-w-0 max-w-full justify-end overflow-hidden whitespace-nowrap after:shrink-0">
      <span className="flex min-w-0 justify-end overflow-hidden">
        <Running fallback={<bdi>{fallback}</bdi>} chat={writing.chat} />
      </span>
    </span>
  )
}
