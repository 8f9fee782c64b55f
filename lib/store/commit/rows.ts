import type { ChangeRows, Deed } from '@/lib/context'
import type { BranchId, ChatId, LoggedEvent, MessageId } from '@/lib/events'

// Rows of some changes of a chat, as `append_changes` takes them. Times are milliseconds since 1970.

/** Everything that is written together. */
export interface Rows extends Omit<ChangeRows, 'at' | 'events' | 'deeds'>, RefRows {
  events: EventRow[]
  deeds: DeedRow[]
  chatId: ChatId
  /**
   * the last event that the changes were decided on, and the time when its chat was begun: nothing is written
   * when either has changed
   */
  seq: number
  createdAt: number
  /** the chat, as the changes leave it */
  chat: {
    seq: number
    at: number
    /** undefined when it stays, like the next two */
    title: string | null | undefined
    metadata: Readonly<Record<string, unknown>> | undefined
    activeBranchId: BranchId | null | undefined
    nextLane: number
    undoSeq: number | null
    redoSeq: number | null
  }
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

/** `number`: its own in its stream. */
interface EventRow extends Pick<LoggedEvent, 'seq' | 'type' | 'version' | 'payload'> {
  stream: string
  number: number
  messageId: MessageId | undefined
  actor: string | undefined
  at: number
}

type DeedRow =
  | Exclude<Deed, { do: 'keep' }>
  /** `what` is the row of a replay or a bisect, by columns */
  | { do: 'keep'; kind: 'replays' | 'bisects'; id: string; version: number | undefined; what: object }
