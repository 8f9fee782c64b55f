import type { ContextData, NewMessage } from '@/lib/context'
import type { BranchId, ChatId, KeepNodes, LoggedEvent, MessageId, RunId, UserId } from '@/lib/events'

// What some changes of a chat write, as `append_changes` takes it. Times are milliseconds since 1970.

/** Everything that is written together. */
export interface Rows {
  chatId: ChatId
  /** with it, a chat of someone else is not there */
  ownerId: UserId | undefined
  /** the last event that the changes were decided on, and when its chat was begun: nothing is written where either is another */
  seq: number
  createdAt: number
  /** the chat, where the first of the changes makes it */
  create: { userId: UserId; alias: string | undefined } | undefined
  chat: {
    seq: number
    at: number
    /** undefined for one that stays */
    title: string | undefined
    /** what is added to it */
    metadata: Record<string, unknown> | undefined
    activeBranchId: BranchId | undefined
    nextLane: number
    undoSeq: number | null
    redoSeq: number | null
  }
  contexts: (ContextData & { at: number })[]
  lanes: { lane: number; parentLane: number | null; baseDepth: number }[]
  messages: MessageRow[]
  events: EventRow[]
  /** in this order, after the rows above */
  deeds: Deed[]
  /** the ids of the stored files that the chat holds from now on */
  files: string[]
}

/** `body`: the place of its data among the bodies, from 1. */
interface MessageRow
  extends Pick<
    NewMessage,
    'id' | 'name' | 'type' | 'status' | 'preview' | 'mergeParentId' | 'copiedFromId' | 'runId' | 'createdAt'
  > {
  lane: number
  depth: number
  parentId: MessageId | null
  body: number
  holds: string | undefined
  contextId: string | undefined
}

/** `number`: its own in its stream. */
interface EventRow extends Pick<LoggedEvent, 'seq' | 'type' | 'version' | 'payload'> {
  stream: string
  number: number
  messageId: MessageId | undefined
  actor: string | undefined
  at: number
}

/** What happens to a row that is no node, one after the other. */
export type Deed =
  | {
      do: 'open'
      id: BranchId
      name: string
      lane: number | null
      depth: number | null
      parent: BranchId | null
      from: number
      contextId: string | null
      at: number
    }
  | { do: 'head'; id: BranchId; lane: number | null; depth: number | null; contextId: string | null }
  | { do: 'name'; id: BranchId; name: string }
  | { do: 'title'; id: BranchId; name: string }
  /** null takes it back */
  | { do: 'archive'; id: BranchId; at: number | null }
  | { do: 'checkpoint'; id: string; name: string; lane: number; depth: number; at: number }
  | { do: 'forget checkpoint'; name: string }
  /** refuses everything while a reply is being written on the branch */
  | { do: 'wait for none'; id: BranchId }
  | {
      do: 'queue'
      id: RunId
      branchId: BranchId
      replyTo: MessageId
      replyId: MessageId
      model: string
      contextId: string | null
      answers: unknown
      continues: MessageId | null
      leaseMs: number | undefined
      at: number
    }
  | { do: 'end'; id: RunId; fence: number; status: string; error: object | undefined; at: number }
  | { do: 'steer'; id: BranchId; to: BranchId | null; at: number; followedAt: number | null }
  | { do: 'nodes'; nodes: KeepNodes['nodes']; agent: KeepNodes['agent']; at: number }
  | { do: 'replay'; id: BranchId; what: object; at: number }
  | { do: 'bisect'; what: object; at: number }
