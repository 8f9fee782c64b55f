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
  type MapPlaces,
  type Place,
  placeLines,
  stepRuns,
  type VisibleGraph,
  visibleGraph,
  type WholeDrawing,
  withLiveReplies,
  withoutShown,
} from '@/lib/graph'
import type { GraphBranch } from '@/lib/protocol'

/** The drawing, as it follows from the graph and the branch being read. */
export interface GraphModel {
  index: GraphIndex
  visible: VisibleGraph
  drawn: DrawnGraph
  map: MapPlaces
  branchId: BranchId
  /** the head being read */
  headId: MessageId | null
  /** the chain being read */
  lit: ReadonlySet<MessageId>
  /** the messages that are folded */
  folded: ReadonlySet<MessageId>
  /** it shows the graph as it was: nothing of it can be changed, but branches can start there */
  past: boolean
}

interface ModelOptions {
  branchId: BranchId
  /** the messages to fold; by default the messages that open folded */
  folded?: ReadonlySet<MessageId>
  /** a message that is never folded */
  selectedId?: MessageId | null
}

/** Lays out the drawing: on the server for the first paint, on the page from then on. */
export function graphModel(stored: GraphIndex, options: ModelOptions): GraphModel {
  const { branchId, selectedId = null } = options
  const index = withLiveReplies(stored)
  const visible = visibleGraph(index, { branchId })
  const read = readingOf(index, branchId)
  const wished = options.folded ?? opensFolded(visible, read.headId)
  const folded = withoutShown(wished, [read.headId, selectedId, ...visible.labels.keys()])
  const drawn = drawnGraph(visible, folded)
  return { index, visible, drawn, map: placeLines(drawn), folded, past: false, ...read }
}

/** Lays out a time of a graph as a part of the drawing of all times. */
export function partModel(
  index: GraphIndex,
  { branchId, selectedId, whole }: { branchId: BranchId; selectedId: MessageId | null; whole: WholeDrawing },
): GraphModel {
  return { index, past: false, ...readingOf(index, branchId), ...whole.at(index, { branchId, selectedId }) }
}

function readingOf(index: GraphIndex, branchId: BranchId): Pick<GraphModel, 'branchId' | 'headId' | 'lit'> {
  const headId = headBeingRead(index.graph, branchId)
  const lit = new Set(headId === null ? [] : index.chainTo(headId).map((node) => node.id))
  return { branchId, headId, lit }
}

/** The messages that are folded when the chat opens; of a small graph the steps of agents alone. */
const opensFolded = (visible: VisibleGraph, headId: MessageId | null): ReadonlySet<MessageId> =>
  visible.nodes.length > foldsBeyond ? allFoldable(visible, headId) : stepRuns(visible)

const allFoldable = (visible: VisibleGraph, headId: MessageId | null): ReadonlySet<MessageId> =>
  new Set([...longStretches(visible, (id) => id === headId), ...stepRuns(visible)])

const known = new WeakMap<GraphModel, ReadonlySet<MessageId>>()

/** The messages of all stretches that can be folded; found when first asked for. */
export function foldable(model: GraphModel): ReadonlySet<MessageId> {
  const found = known.get(model) ?? allFoldable(model.visible, model.headId)
  known.set(model, found)
  return found
}

/** The stretch around a message that can be folded, top to bottom; empty when there is none. */
export function stretchAround(model: GraphModel, id: MessageId): MessageId[] {
  const { byId } = model.visible
  const all = foldable(model)
  const stretch: MessageId[] = []
  if (!all.has(id)) return stretch
  let top = id
  for (let above = byId.get(top)?.parentId; above && all.has(above); above = byId.get(top)?.parentId)
    top = above
  for (let at: MessageId | undefined = top; at !== undefined && all.has(at); at = byId.get(at)?.childIds[0]) {
    stretch.push(at)
  }
  return stretch
}

export const isLit = ({ lit }: Pick<GraphModel, 'lit'>, item: DrawnItem): boolean =>
  item.kind === 'message' ? lit.has(item.id) : item.nodes.some((node) => lit.has(node.id))

/** True when the line to an item is part of the chain being read. */
export const lineIsLit = ({ lit }: Pick<GraphModel, 'lit'>, item: DrawnItem): boolean =>
  item.kind === 'message' ? lit.has(item.id) : lit.has(item.nodes[0]?.id ?? '')

/** The item a message, or an item by its own id, is drawn in. */
export const itemAt = ({ drawn }: Pick<GraphModel, 'drawn'>, id: ItemId): DrawnItem | undefined =>
  drawn.byId.get(id) ?? drawn.itemOf(id)

/** A line from a merged or summed up message to the message that has it as its second parent. */
export interface MergeLine {
  id: ItemId
  from: Place
  to: Place
  /** the lane of the merged branch */
  lane: number
  lit: boolean
}

/** The lines of the merges among some items; a folded second parent begins its line at its stretch. */
export const mergeLines = (model: GraphModel, items: readonly DrawnItem[]): MergeLine[] =>
  items.flatMap((item) => {
    const second = item.kind === 'message' ? item.node.mergeParentId : undefined
    const source = second === undefined ? undefined : itemAt(model, second)
    const from = source && model.map.places.get(source.id)
    const to = model.map.places.get(item.id)
    return from && to ? [{ id: item.id, from, to, lane: source.lane, lit: isLit(model, item) }] : []
  })

/** A branch can be archived once, and while another one is left to read. */
export const canArchive = ({ index }: GraphModel, branch: GraphBranch | undefined): boolean =>
  branch?.archivedAt === null &&
  index.graph.branches.some(({ id, archivedAt }) => archivedAt === null && id !== branch.id)
