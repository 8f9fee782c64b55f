'use client'

import { useState } from 'react'
import type { ThreadRow } from '@/components/session/thread-rows'
import type { useChatSession } from '@/components/session/use-chat-session'
import { useStored } from '@/components/ui/stored-value'
import type { MessageId } from '@/lib/events'
import type { GraphNode } from '@/lib/protocol'

type Session = Pick<ReturnType<typeof useChatSession>, 'state' | 'thread'>

/**
 * The first reply that a person has asked for again in this browser, beside the new one; null at any other time. It stands
 * only where the thread ends with the new reply: whatever leads elsewhere shows the thread as ever.
 */
export function useFirstRetry({ state, thread }: Session) {
  const [stored, store] = useStored('ramify-first-retry', 'pending')
  const [beforeId, setBeforeId] = useState<MessageId | null>(null)
  const { index, bodies, branchId } = state
  const { turn, head, turnLane } = thread

  const rowOf = (node: GraphNode | null | undefined): ThreadRow | null => {
    const message = node && bodies.get(node.id)
    return message ? { node, message } : null
  }
  const before = beforeId === null ? null : rowOf(index.byId(beforeId))
  const asked = before && index.parentOf(before.node.id)
  const now = turn || head?.id === beforeId ? null : rowOf(head)
  const isWritten = turn !== null && turn.base === asked?.id && turn.user === null
  const isThere = now !== null && index.parentOf(now.node.id)?.id === asked?.id
  const pair = before &&
    asked && {
      messageId: asked.id,
      before,
      beforeOn: index.branchHolding(before.node.id)?.id ?? null,
      now,
      nowOn: branchId,
      turn,
      lane: turnLane,
    }
  return {
    pair: isWritten || isThere ? pair : null,
    /** a reply is asked for again */
    begin(node: GraphNode) {
      const isAnswer = node.role === 'assistant' && node.status === 'done'
      if (stored !== 'pending' || !isAnswer || node.id !== head?.id) return
      setBeforeId(node.id)
      store('done')
    },
    over: () => setBeforeId(null),
  }
}
