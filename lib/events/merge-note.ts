import type { BranchId, MessageId } from './ids'

/** The ways to merge, as `MergeMode` says. */
export const mergeModes = ['brief', 'turns', 'context'] as const

/**
 * The part of a branch that is merged into another: a brief of it, copies of its own messages, or its fragments and
 * memories.
 */
export type MergeMode = (typeof mergeModes)[number]

/** Words of a message, and where they stand. */
export interface Quote {
  messageId: MessageId
  text: string
}

/** A contradiction of two branches: both wordings, null for a side that has none, and their messages where known. */
export interface MergeConflict {
  id: string
  /** its subject, in a few words */
  about: string
  source: string | null
  target: string | null
  sourceMessageId?: MessageId | undefined
  targetMessageId?: MessageId | undefined
}

/** The wording that counts: of one side, or another one. */
export type MergeResolution = 'source' | 'target' | { text: string }

/** A conflict with what a person has chosen; without a resolution it is left open. */
export type ResolvedConflict = MergeConflict & { resolution?: MergeResolution | undefined }

/** The metadata of a message that a merge made. */
export interface MergeNote {
  sourceBranchId: BranchId
  /** the branch's name at that time */
  sourceBranch: string
  sourceHeadId: MessageId
  baseId: MessageId | null
  mode: MergeMode
  quotes: Quote[]
  conflicts: ResolvedConflict[]
}

/** The metadata of a summary that a branch begins with. */
export interface CompactNote {
  sourceBranchId: BranchId
  /** the branch's name at that time */
  sourceBranch: string
  /** the last message that it stands for */
  untilId: MessageId
  /** number of those messages */
  count: number
}
