import type { BranchId, ChatId, CheckpointId, MessageId, RunId } from '@/lib/events'

/**
 * One message in the graph, without its body. Its place (`lane`, `depth`) is stored, so the picture is stable:
 * the first reply to a message stays in its lane one deeper, every later one opens a new lane.
 */
export interface GraphNode {
  id: MessageId
  lane: number
  /** 0 at its root */
  depth: number
  /** `user`, `assistant`, or another name a library caller used */
  role: string
  /** the first 160 characters of its text */
  preview: string
  status: 'done' | 'streaming' | 'stopped' | 'failed'
  /** milliseconds since 1970 */
  createdAt: number
}

/** A line of replies; it hangs below (`parentLane`, `baseDepth - 1`), or is a root when `parentLane` is null. */
export interface GraphLane {
  lane: number
  parentLane: number | null
  baseDepth: number
}

export interface GraphBranch {
  id: BranchId
  name: string
  headId: MessageId | null
  parentBranchId: BranchId | null
  createdAt: number
  archivedAt: number | null
  /** why the reply to its head is missing, when the last attempt failed before a word arrived */
  failure?: Explanation | null
}

/** What happened, and what to do about it, in words for the person at the screen. */
export interface Explanation {
  kind: string
  message: string
  advice: string
}

export interface GraphCheckpoint {
  id: CheckpointId
  name: string
  messageId: MessageId
  createdAt: number
}

/** A reply being written right now. */
export interface LiveRun {
  runId: RunId
  branchId: BranchId
  replyTo: MessageId
  replyId: MessageId
}

/** Everything the explorer shows of one chat. */
export interface Graph {
  chatId: ChatId
  /** the log's position this state was read at; a delta moves it on */
  seq: number
  title: string | null
  /** where the chat opens */
  activeBranchId: BranchId
  nodes: GraphNode[]
  lanes: GraphLane[]
  branches: GraphBranch[]
  checkpoints: GraphCheckpoint[]
  runs: LiveRun[]
}

/**
 * What one write changed. Nodes and lanes are only ever added; branches and checkpoints replace those of the same id.
 * Applying a delta twice, or an older one after a newer, changes nothing that is newer.
 */
export interface GraphDelta {
  chatId: ChatId
  seq: number
  title?: string | null
  activeBranchId?: BranchId
  nodes?: GraphNode[]
  lanes?: GraphLane[]
  branches?: GraphBranch[]
  checkpoints?: GraphCheckpoint[]
  /** names */
  removedCheckpoints?: string[]
  /** runs that began */
  runs?: LiveRun[]
  /** ids of runs that are over */
  endedRuns?: RunId[]
}
