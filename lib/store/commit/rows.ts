import type { ContextData, NewMessage } from '@/lib/context'
import type { BranchId, ChatId, KeepNodes, LoggedEvent, MessageId, RunId, UserId } from '@/lib/events'

// What some changes of a chat write, as `append_changes` takes it. Times are milliseconds since 1970.

/** Everything that is written together. */
export interface Rows extends Omit<ChangeRows, 'at'>, RefRows {
  chatId: ChatId
  /** the last event that the changes were decided on, and when its chat was begun: nothing is written where either is another */
  seq: number
  createdAt: number
  /** the chat, as the changes leave it */
  chat: {
    seq: number
    at: number
    /** undefined where it stays, like the next two */
    title: string | null | undefined
    metadata: Readonly<Record<string, unknown>> | undefined
    activeBranchId: BranchId | null | undefined
    nextLane: number
    undoSeq: number | null
    redoSeq: number | null
  }
}

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
  events: EventRow[]
  /** in this order, after all other rows */
  deeds: Deed[]
  /** the ids of the stored files that the chat holds from now on */
  files: string[]
}

/** The refs that are others than before. */
export interface RefRows {
  opened: (Named & Stand & { parent: BranchId | null; from: number; at: number })[]
  /** branches that stand elsewhere, or have another context */
  heads: (Stand & { id: BranchId })[]
  named: Named[]
  checkpoints: { id: string; name: string; lane: number; depth: number; at: number }[]
  /** the names of checkpoints that are gone */
  forgotten: string[]
  steerings: { id: BranchId; to: BranchId | null; at: number; followedAt: number | null }[]
}

interface Named {
  id: BranchId
  name: string
  title: string | null
  archivedAt: number | null
}

interface Stand {
  lane: number | null
  depth: number | null
  contextId: string | null
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
      answers: unknown
      continues: MessageId | null
      leaseMs: number | undefined
      at: number
    }
  | { do: 'end'; id: RunId; fence: number; status: string; error: object | undefined; at: number }
  | { do: 'nodes'; nodes: KeepNodes['nodes']; agent: KeepNodes['agent']; at: number }
  /** begins a replay or a bisect, or moves one on from the state of `version`; `what` is its row, by columns */
  | { do: 'keep'; kind: 'replays' | 'bisects'; id: string; version: number | undefined; what: object }
