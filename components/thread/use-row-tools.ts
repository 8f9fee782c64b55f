'use client'

import { useEffect, useMemo, useRef } from 'react'
import type { ChatTools } from '@/components/session/chat-context'
import { versionsOf } from '@/components/session/thread-rows'
import type { GraphIndex } from '@/lib/graph/graph-index'

/** What can be done with a message, besides what its row shows of it. */
type Actions = Omit<ChatTools, 'busy' | 'versionsOf' | 'checkpointsAt'>

/**
 * The tools of the thread's rows: the same object as long as nothing changes in what a row shows, so that picking a
 * message in the graph draws no row anew. What a tool does is looked up when it is used.
 */
export function useRowTools(index: GraphIndex, busy: boolean, actions: Actions): ChatTools {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  return useMemo(
    () => ({
      busy,
      versionsOf: (id) => versionsOf(index, id),
      checkpointsAt: (id) => index.graph.checkpoints.filter(({ messageId }) => messageId === id),
      openVersion: (id) => latest.current.openVersion(id),
      edit: (node, text) => latest.current.edit(node, text),
      retry: (node, model) => latest.current.retry(node, model),
      branchFrom: (id) => latest.current.branchFrom(id),
      checkpoint: (id, anchor) => latest.current.checkpoint(id, anchor),
    }),
    [index, busy],
  )
}
