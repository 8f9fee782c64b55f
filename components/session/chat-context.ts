'use client'

import { createContext, use, useEffect, useMemo, useRef } from 'react'
import type { BranchId, MessageId, ToolAnswer } from '@/lib/events'
import type { GraphIndex } from '@/lib/graph'
import type { GraphCheckpoint, GraphNode } from '@/lib/protocol'
import { type Versions, versionsOf } from './thread-rows'
import { type Version, versionList } from './version-list'

/** The actions of a message, for the rows of the thread. */
export interface ChatTools {
  /** a reply is being written on this branch: nothing can be sent here until it ends */
  busy: boolean
  /** the model that the next message of the branch goes to */
  model: string
  versionsOf(id: MessageId): Versions | null
  /** every version of a message, for a reader to choose from */
  versionList(id: MessageId): Version[]
  checkpointsAt(id: MessageId): GraphCheckpoint[]
  openVersion(id: MessageId): void
  edit(node: GraphNode, text: string): void
  retry(node: GraphNode, model?: string): void
  /** says whether the tools that wait in a reply may run */
  answer(node: GraphNode, answers: ToolAnswer[]): void
  /** true for a reply that another model could write again; a sentence says why not now */
  canChooseModel(id: MessageId): boolean | string
  /** asks beside `anchor` which model writes a reply again */
  chooseModel(id: MessageId, anchor: Element | null): void
  /** shows what a message, or a reply to it, is asked with */
  inspect(id: MessageId): void
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
type Actions = Omit<
  ChatTools,
  'busy' | 'model' | 'versionsOf' | 'versionList' | 'checkpointsAt' | 'canChooseModel'
>

/**
 * The tools of the thread's rows: the same object while nothing changes that a row shows, so picking a message in the
 * graph draws no row anew. A tool looks its action up when it is used.
 */
export function useRowTools(
  { index, branchId }: { index: GraphIndex; branchId: BranchId },
  busy: boolean,
  model: string,
  severalModels: boolean,
  actions: Actions,
): ChatTools {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  return useMemo(
    () => ({
      busy,
      model,
      versionsOf: (id) => versionsOf(index, id),
      versionList: (id) => versionList(index, id, branchId),
      checkpointsAt: (id) => index.graph.checkpoints.filter(({ messageId }) => messageId === id),
      openVersion: (id) => latest.current.openVersion(id),
      edit: (node, text) => latest.current.edit(node, text),
      retry: (node, model) => latest.current.retry(node, model),
      answer: (node, answers) => latest.current.answer(node, answers),
      canChooseModel: (id) =>
        severalModels && index.byId(id)?.role === 'assistant' && (!busy || 'A reply is being written'),
      chooseModel: (id, anchor) => latest.current.chooseModel(id, anchor),
      inspect: (id) => latest.current.inspect(id),
      branchFrom: (id) => latest.current.branchFrom(id),
      checkpoint: (id, anchor) => latest.current.checkpoint(id, anchor),
    }),
    [index, branchId, busy, model, severalModels],
  )
}
