'use client'

import { createContext, use, useEffect, useMemo, useRef } from 'react'
import type { BranchId, MessageId, ToolAnswer } from '@/lib/events'
import { branchTitle, type GraphIndex } from '@/lib/graph'
import type { GraphCheckpoint, GraphNode } from '@/lib/protocol'
import type { Merging } from './merging'
import { type Versions, versionsOf } from './thread-rows'
import { type Version, versionList } from './version-list'

/** The actions of a message, for the rows of the thread. */
export interface ChatTools {
  /** a reply is being written on this branch: nothing can be sent here until it ends */
  busy: boolean
  /** the chat is another person's: nothing is done to it */
  readOnly: boolean
  /** the name of that person; null in a chat of one's own */
  owner: string | null
  /** the model that the next message of the branch goes to */
  model: string
  versionsOf(id: MessageId): Versions | null
  /** every version of a message, for a reader to choose from */
  versionList(id: MessageId): Version[]
  checkpointsAt(id: MessageId): GraphCheckpoint[]
  openVersion(id: MessageId): void
  edit(node: GraphNode, text: string): void
  retry(node: GraphNode, model?: string): void
  /** asks for the rest of a cut reply */
  goOn(node: GraphNode): void
  /** says whether the tools that wait in a reply may run, and which of them ask no more on this branch */
  answer(node: GraphNode, answers: ToolAnswer[], always: readonly string[]): void
  /** true for a reply that another model could write again; a sentence says why not now */
  canChooseModel(id: MessageId): boolean | string
  /** asks beside `anchor` which model writes a reply again */
  chooseModel(id: MessageId, anchor: Element | null): void
  /** shows what a message, or a reply to it, is asked with */
  inspect(id: MessageId): void
  /** asks which models write a reply again, all at once */
  fanOut(id: MessageId): void
  branchFrom(id: MessageId): void
  /** asks which messages are asked again, on a branch or from a message on */
  replay(branchId: BranchId | null, messageId: MessageId | null): void
  /** asks what a link opens: a branch, or the messages up to one */
  share(branchId: BranchId | null, messageId: MessageId | null): void
  /** looks for the message that made a reply say something */
  bisect(id: MessageId): void
  /** an agent writes in the chat */
  hasAgents: boolean
  /** asks for the agent that goes on from a message, and the words it reads there first */
  steer(id: MessageId): void
  /** asks where messages go, and how */
  merging(asked: Merging): void
  /** there is a branch besides the one being read */
  severalBranches: boolean
  /** the present title of a branch, which may differ from its name then */
  branchCalled(id: BranchId): string | null
  /** the title of the branch that holds a message */
  branchOf(id: MessageId): string | null
  /** the next replies of the branch do not read this message */
  isLeftOut(id: MessageId): boolean
  leaveOut(id: MessageId, leftOut: boolean): void
  /** opens a message in the thread, on whichever branch it is */
  openMessage(id: MessageId): void
  /** asks for a name beside the message, or the button it was asked `from` */
  checkpoint(id: MessageId, from: Element | null): void
}

export const ChatContext = createContext<ChatTools | null>(null)

export function useChatTools(): ChatTools {
  const tools = use(ChatContext)
  if (!tools) throw new Error('useChatTools needs a <ChatWorkspace> around it')
  return tools
}

/** The tools without the ones that only read the graph. */
type Actions = Omit<
  ChatTools,
  | 'busy'
  | 'readOnly'
  | 'owner'
  | 'model'
  | 'versionsOf'
  | 'versionList'
  | 'checkpointsAt'
  | 'canChooseModel'
  | 'severalBranches'
  | 'hasAgents'
  | 'branchCalled'
  | 'branchOf'
  | 'isLeftOut'
>

/**
 * The tools of the thread's rows: the same object while nothing changes that a row shows, so picking a message in the
 * graph draws no row anew. A tool looks its action up when it is used.
 */
export function useRowTools(
  { index, branchId }: { index: GraphIndex; branchId: BranchId },
  owner: string | null,
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
      readOnly: owner !== null,
      owner,
      model,
      versionsOf: (id) => versionsOf(index, id),
      versionList: (id) => versionList(index, id, branchId),
      checkpointsAt: (id) => index.graph.checkpoints.filter(({ messageId }) => messageId === id),
      openVersion: (id) => latest.current.openVersion(id),
      edit: (node, text) => latest.current.edit(node, text),
      retry: (node, model) => latest.current.retry(node, model),
      goOn: (node) => latest.current.goOn(node),
      answer: (node, answers, always) => latest.current.answer(node, answers, always),
      canChooseModel: (id) =>
        severalModels && index.byId(id)?.role === 'assistant' && (!busy || 'A reply is being written'),
      chooseModel: (id, anchor) => latest.current.chooseModel(id, anchor),
      inspect: (id) => latest.current.inspect(id),
      fanOut: (id) => latest.current.fanOut(id),
      branchFrom: (id) => latest.current.branchFrom(id),
      replay: (branch, id) => latest.current.replay(branch, id),
      share: (branch, id) => latest.current.share(branch, id),
      bisect: (id) => latest.current.bisect(id),
      hasAgents: owner === null && (index.graph.agents ?? []).length > 0,
      steer: (id) => latest.current.steer(id),
      merging: (asked) => latest.current.merging(asked),
      severalBranches: index.graph.branches.length > 1,
      branchCalled: (id) => (index.branch(id) ? branchTitle(index, id) : null),
      branchOf(id) {
        const holder = index.branchHolding(id)
        return holder ? branchTitle(index, holder.id) : null
      },
      isLeftOut: (id) => index.branch(branchId)?.leftOut?.includes(id) === true,
      leaveOut: (id, leftOut) => latest.current.leaveOut(id, leftOut),
      openMessage: (id) => latest.current.openMessage(id),
      checkpoint: (id, anchor) => latest.current.checkpoint(id, anchor),
    }),
    [index, branchId, busy, owner, model, severalModels],
  )
}
