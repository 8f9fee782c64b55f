import type { BranchId, MergeConflict, MergeMode, MessageId, Quote } from '@/lib/events'

/** What a merge would say, before anything is stored. */
export interface MergePreview {
  mode: MergeMode
  /** where the two branches part; null when they have nothing in common */
  baseId: MessageId | null
  source: { branchId: BranchId; name: string; headId: MessageId }
  /** how many messages of the source the target lacks */
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

/** What a summary would say, before anything is stored. */
export interface SummaryPreview {
  summary: string
  /** how many messages it stands for */
  count: number
  writtenBy: string | null
  failure: string | null
}
