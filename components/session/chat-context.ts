'use client'

import { createContext, use } from 'react'
import type { MessageId } from '@/lib/events'
import type { GraphCheckpoint, GraphNode } from '@/lib/protocol'
import type { Versions } from './thread-rows'

/** What can be done with a message, for the rows of the thread. */
export interface ChatTools {
  /** a reply is being written on this branch: nothing else can be asked here until it ends */
  busy: boolean
  versionsOf(id: MessageId): Versions | null
  checkpointsAt(id: MessageId): GraphCheckpoint[]
  openVersion(id: MessageId): void
  edit(node: GraphNode, text: string): void
  retry(node: GraphNode, model?: string): void
  branchFrom(id: MessageId): void
  /** asks for a name beside `anchor` */
  checkpoint(id: MessageId, anchor: Element | null): void
}

export const ChatContext = createContext<ChatTools | null>(null)

export function useChatTools(): ChatTools {
  const tools = use(ChatContext)
  if (!tools) throw new Error('useChatTools needs a <ChatWorkspace> around it')
  return tools
}
