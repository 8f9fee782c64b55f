import type {
  BranchId,
  FinishRun,
  KeepNodes,
  LoggedEvent,
  MessageId,
  NewMessage,
  QueueRun,
  RunId,
  UserId,
} from '@/lib/events'
import type { ContextData } from '../store/records'

// What changes of a chat amount to, in rows: a store keeps them. Times are milliseconds since 1970.

/** The rows that changes add, one after the other. */
export interface ChangeRows {
  /** with it, a chat of someone else is not there */
  ownerId: UserId | undefined
  /** the chat, where the first of the changes makes it */
  create: { userId: UserId; alias: string | undefined; origin: string | undefined } | undefined
  /** the time of the latest change */
  at: number
  contexts: (ContextData & { at: number })[]
  lanes: { lane: number; parentLane: number | null; baseDepth: number }[]
  messages: MessageRow[]
  events: (LoggedEvent & { actor: UserId | undefined })[]
  /** in this order, after all other rows */
  deeds: Deed[]
  /** the ids of the stored files that the chat holds from now on */
  files: string[]
}

/** `body`: the place of its data among the bodies, from 1. */
export interface MessageRow
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

/** A thing that happens to a row that is no node and no ref, one after the other. */
export type Deed =
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
      answers: QueueRun['answers'] | null
      continues: MessageId | null
      leaseMs: number | undefined
      at: number
    }
  | {
      do: 'end'
      id: RunId
      fence: number
      status: FinishRun['status']
      error: object | undefined
      at: number
    }
  | { do: 'nodes'; nodes: KeepNodes['nodes']; agent: KeepNodes['agent']; at: number }
  | { do: 'replay'; id: BranchId; what: object; at: number }
  | { do: 'bisect'; what: object; at: number }
