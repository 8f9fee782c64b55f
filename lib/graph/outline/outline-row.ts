import type { MessageId } from '@/lib/events'
import type { GraphBranch, GraphNode } from '@/lib/protocol'
import type { DrawnFold, DrawnMessage } from '../drawn-graph'
import type { Rails } from './outline-rails'

/** The id of a row: a message's, a fold's, or an id that `branchRowId` and its like make. */
export type RowId = string

interface Row {
  id: RowId
  /** the row it hangs from in the tree */
  parentId: RowId | null
  /** its shift to the right, in lanes of the gutter */
  column: number
  lane: number
  /** it goes on from the row above in its column; else its line leaves the column to its left */
  goesOn: boolean
}

interface LineRow extends Row {
  /** the branch whose own messages begin here, where no row above names it; null for most */
  begins: GraphBranch | null
}

interface MessageRow extends LineRow {
  kind: 'message'
  item: DrawnMessage
  /** the branches whose names stand at its end: those without a row */
  branches: readonly GraphBranch[]
}

interface FoldRow extends LineRow {
  kind: 'fold'
  item: DrawnFold
}

/** A branch in one row, and what opens it. */
export interface BranchRow extends Row {
  kind: 'branch'
  /** null where no branch leads to these messages */
  branch: GraphBranch | null
  /** its first messages are above, in the line that it leaves here */
  isRest: boolean
  /** the keys to open so that its messages show; empty where it has none */
  opens: readonly MessageId[]
  isOpen: boolean
  /** number of its messages below its fork */
  count: number
  /** the messages it begins and ends with */
  first: GraphNode | null
  last: GraphNode | null
  /** the last of its messages that took messages of another branch */
  merge: GraphNode | null
}

/** Branches there is no room for, or the archived ones. */
interface MoreRow extends Row {
  kind: 'more'
  of: 'fork' | 'archive'
  opens: readonly string[]
  isOpen: boolean
  count: number
}

/** A row before it has its place. */
export type UnplacedRow = MessageRow | FoldRow | BranchRow | MoreRow

/** A row of the outline, with the lines of its gutter and its place in the tree. */
export type OutlineRow = UnplacedRow & {
  rails: Rails
  /** from 1 */
  level: number
  /** its place among the rows that hang from the same one, from 1, and how many there are */
  position: number
  siblings: number
}
