import type { BranchId, MergeConflict, MergeMode, MessageId, Quote } from '@/lib/events'

/** A merge as it would be stored. */
export interface MergePreview {
  mode: MergeMode
  /** the message at which the two branches part; null when they have nothing in common */
  baseId: MessageId | null
  source: { branchId: BranchId; name: string; headId: MessageId }
  /** number of the source's messages that the target lacks */
  count: number
  /** Markdown, to be reviewed */
  brief: string
  quotes: Quote[]
  conflicts: MergeConflict[]
  /** the model that wrote the brief; null for a digest of the messages */
  writtenBy: string | null
  /** why the model wrote none, where it was asked */
  failure: string | null
}

/** A summary as it would be stored. */
export interface SummaryPreview {
  summary: string
  /** number of messages that it stands for */
  count: number
  writtenBy: string | null
  failure: string | null
}
