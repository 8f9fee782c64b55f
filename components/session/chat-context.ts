'use client'

import { createContext, use, useEffect, useMemo, useRef } from 'react'
import type { MessageId } from '@/lib/events'
import type { GraphIndex } from '@/lib/graph'
import type { GraphCheckpoint, GraphNode } from '@/lib/protocol'
import { type Versions, versionsOf } from './thread-rows'

/** The actions of a message, for the rows of the thread. */
export interface ChatTools {
  /** a reply is being written on this branch: nothing can be sent here until it ends */
  busy: boolean
  versionsOf(id: MessageId): Versions | null
  checkpointsAt(id: MessageId): GraphCheckpoint[]
  openVersion(id: MessageId): void
  edit(node: GraphNode, text: string): void
  retry(node: GraphNode, model?: string): void
  branchFrom(id: MessageId): void
  /** asks for a name beside the message, or the button it was asked `from` */
  checkpoint(id: MessageId, from: Element | null): void
}

export const ChatContext = createContext<ChatTools | null>(null)

export function useChatTools(): ChatTools {
  const tools = use(ChatContext)
  if (!tools) throw new Error('useChatTools needs a <ChatWorkspace> around it')
  return tools
}

/** The tools without those that only read the graph. */
type Actions = Omit<ChatTools, 'busy' | 'versionsOf' | 'checkpointsAt'>

/**
 * The tools of the thread's rows: the same object while nothing changes that a row shows, so picking a message in the
 * graph draws no row anew. A tool looks its action up when it is used.
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
