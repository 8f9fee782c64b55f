import type { BranchId, MessageId } from '@/lib/events'
import {
  type DrawnGraph,
  type DrawnItem,
  drawnGraph,
  foldsBeyond,
  type GraphIndex,
  headBeingRead,
  type ItemId,
  longStretches,
  type Placement,
  placeNodes,
  placeWithin,
  type VisibleGraph,
  visibleGraph,
  type WholeDrawing,
  withLiveReplies,
  withoutShown,
} from '@/lib/graph'

/** Everything the drawing is made of that follows from the graph and where it is read. */
export interface GraphModel {
  index: GraphIndex
  visible: VisibleGraph
  drawn: DrawnGraph
  placement: Placement
  branchId: BranchId
  /** the head being read */
  headId: MessageId | null
  /** the chain being read */
  lit: ReadonlySet<MessageId>
  /** what of the wish to fold could be had */
  folded: ReadonlySet<MessageId>
  /** the graph as it was: to be looked at, and branched from */
  past: boolean
}

interface ModelOptions {
  branchId: BranchId
  /** messages that are not to be seen one by one; by default those that open folded */
  folded?: ReadonlySet<MessageId>
  /** a message that is to be seen whatever is folded */
  selectedId?: MessageId | null
  /** a drawing to keep to, of which this one is part */
  whole?: WholeDrawing
}

/** Lays out what is drawn. The server does it for the first paint, the page for what comes after: the same function. */
export function graphModel(stored: GraphIndex, options: ModelOptions): GraphModel {
  const { branchId, selectedId = null, whole } = options
  const index = withLiveReplies(stored)
  const visible = visibleGraph(index, { branchId })
  const headId = headBeingRead(index.graph, branchId)
  const lit = new Set(headId === null ? [] : index.chainTo(headId).map((node) => node.id))
  const wished = options.folded ?? opensFolded(visible, headId)
  const folded = withoutShown(wished, [headId, selectedId, ...visible.labels.keys()])
  const drawn = drawnGraph(visible, folded)
  const placement = whole ? placeWithin(drawn, whole) : placeNodes(drawn)
  return { index, visible, drawn, placement, branchId, headId, lit, folded, past: false }
}

/** What is folded when nobody has said otherwise. Up to so many messages that is nothing. */
export function opensFolded(visible: VisibleGraph, headId: MessageId | null): ReadonlySet<MessageId> {
  return visible.nodes.length > foldsBeyond ? longStretches(visible, (id) => id === headId) : new Set()
}

/** The stretch around a message that could be folded, top to bottom; empty when there is none. */
export function stretchAround({ visible, headId }: GraphModel, id: MessageId): MessageId[] {
  const runs = longStretches(visible, (other) => other === headId)
  const stretch: MessageId[] = []
  if (!runs.has(id)) return stretch
  let top = id
  for (let above = visible.byId.get(top)?.parentId; above && runs.has(above); ) {
    top = above
    above = visible.byId.get(top)?.parentId
  }
  for (let at: MessageId | undefined = top; at !== undefined && runs.has(at); ) {
    stretch.push(at)
    at = visible.byId.get(at)?.childIds[0]
  }
  return stretch
}

export const isLit = ({ lit }: Pick<GraphModel, 'lit'>, item: DrawnItem): boolean =>
  item.kind === 'message' ? lit.has(item.id) : item.nodes.some((node) => lit.has(node.id))

/** Whether the line to an item is part of the chain being read. */
export const lineIsLit = ({ lit }: Pick<GraphModel, 'lit'>, item: DrawnItem): boolean =>
  item.kind === 'message' ? lit.has(item.id) : lit.has(item.nodes[0]?.id ?? '')

/** The item a message, or an item by its own id, is drawn in. */
export const itemAt = ({ drawn }: Pick<GraphModel, 'drawn'>, id: ItemId): DrawnItem | undefined =>
  drawn.byId.get(id) ?? drawn.itemOf(id)

/** A branch can be put away once, and while another one is left to read. */
export const canArchive = ({ index }: Pick<GraphModel, 'index'>, branchId: BranchId): boolean =>
  index.branch(branchId)?.archivedAt === null &&
  index.graph.branches.some((branch) => branch.archivedAt === null && branch.id !== branchId)
