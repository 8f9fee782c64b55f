import type { Merging } from '@/components/session/merging'
import type { BranchId } from '@/lib/events'
import type { OutlineRow } from '@/lib/graph'
import type { GraphModel } from '../model/graph-model'

export type Dragged = Extract<Merging, { kind: 'pick' | 'merge' }>

/**
 * The things that dragging a row takes along: a branch, or a message with the others that are picked; null for a row
 * that stays.
 */
export function draggedBy(row: OutlineRow, model: GraphModel, marked: readonly string[]): Dragged | null {
  const { index, past } = model
  if (past || index.graph.branches.length < 2) return null
  if (row.kind === 'branch') return row.branch?.headId ? { kind: 'merge', sourceId: row.branch.id } : null
  if (row.kind !== 'message' || row.item.node.status === 'streaming') return null
  return { kind: 'pick', messageIds: marked.includes(row.id) ? marked : [row.id] }
}

/**
 * The merge or pick that a drop on a row asks for, into the row's branch. Null where that branch has any of it
 * already.
 */
export function droppedOn(
  row: OutlineRow,
  dragged: Dragged,
  { index, branchId }: GraphModel,
): Dragged | null {
  const target = row.kind === 'message' ? index.branchHolding(row.id, branchId) : branchOf(row)
  if (!target) return null
  const targetId: BranchId = target.id
  if (dragged.kind === 'merge') return dragged.sourceId === targetId ? null : { ...dragged, targetId }
  const has = dragged.messageIds.some((id) => index.isOnChain(id, target.headId))
  return has ? null : { ...dragged, targetId }
}

const branchOf = (row: OutlineRow) => (row.kind === 'branch' ? row.branch : null)
