import type { BranchId, MessageId } from '@/lib/events'
import type { Graph, GraphBranch, GraphCheckpoint, GraphNode } from '@/lib/protocol'
import type { GraphIndex } from './graph-index'

/** A message as the explorer draws it, between its neighbours in the tree. */
export interface VisibleNode {
  node: GraphNode
  parentId: MessageId | null
  /** ordered as versions are: oldest first */
  childIds: readonly MessageId[]
  /** its place among its versions, from 1, and how many there are */
  version: number
  versions: number
}

/** Labels of a message: the branches whose head it is and the checkpoints pinned to it. */
export interface NodeLabels {
  branches: GraphBranch[]
  /** branches that were opened here and hold nothing of their own yet */
  waiting: GraphBranch[]
  checkpoints: GraphCheckpoint[]
}

/** The entries of a map, found by their keys alone. */
export type Lookup<Key, Value> = Pick<ReadonlyMap<Key, Value>, 'get' | 'has'>

export interface VisibleGraph {
  /** depth first, each message before its replies */
  nodes: readonly VisibleNode[]
  byId: Lookup<MessageId, VisibleNode>
  labels: ReadonlyMap<MessageId, NodeLabels>
  /** branches that hold no message yet */
  emptyBranches: readonly GraphBranch[]
}

export interface VisibleOptions {
  /** the branch being read; seen even when archived */
  branchId: BranchId
  showArchived?: boolean
}

/**
 * The messages the explorer draws. A message is left out only if it lies on the chain of an archived branch and on none
 * of a branch in use, of a checkpoint, or of a running reply. Nothing is folded. Linear in messages.
 */
export function visibleGraph(index: GraphIndex, options: VisibleOptions): VisibleGraph {
  const { branches, hides, hidden } = shownAt(index, options)
  const { nodes: stored, lanes } = index.graph
  const before = trees.get(stored)
  const isSame = before?.lanes === lanes && before.hidden === hidden
  const tree = isSame ? before.tree : treeOf(index, hides)
  if (!isSame) trees.set(stored, { lanes, hidden, tree })
  return {
    nodes: tree.nodes,
    byId: tree.byId,
    labels: labelsOf(index, branches, tree.byId, options.branchId),
    emptyBranches: branches.filter((branch) => branch.headId === null),
  }
}

type Tree = Pick<VisibleGraph, 'nodes' | 'byId'>

/** The last tree of some messages: a graph whose branches alone have changed, or another branch to read, has the same one. */
const trees = new WeakMap<readonly GraphNode[], { lanes: Graph['lanes']; hidden: string; tree: Tree }>()

function treeOf(index: GraphIndex, hides: Hides): Tree {
  const nodes: VisibleNode[] = []
  const byId = new Map<MessageId, VisibleNode>()
  const roots = index.roots.filter((root) => !hides?.(root))

  const waiting: VisibleNode[] = asVersions(roots, null).reverse()
  for (let visible = waiting.pop(); visible; visible = waiting.pop()) {
    const replies = index.childrenOf(visible.node.id).filter((child) => !hides?.(child))
    visible.childIds = replies.map((reply) => reply.id)
    nodes.push(visible)
    byId.set(visible.node.id, visible)
    for (const reply of asVersions(replies, visible.node.id).reverse()) waiting.push(reply)
  }
  return { nodes, byId }
}

/** Tells the messages that are not seen; null where all are. */
type Hides = ((node: GraphNode) => boolean) | null

/** The branches that are seen, and the messages that are not: `hidden` is the same where the same ones are. */
export function shownAt(index: GraphIndex, { branchId, showArchived = false }: VisibleOptions) {
  const branches = index.graph.branches.filter(
    (branch) => showArchived || branch.archivedAt === null || branch.id === branchId,
  )
  const { used, abandoned } = showArchived ? nothingHidden : lanesInUse(index, branches)
  const hides: Hides =
    abandoned.size === 0
      ? null
      : ({ lane, depth }) => depth > (used.get(lane) ?? -1) && depth <= (abandoned.get(lane) ?? -1)
  return { branches, hides, hidden: hides ? `${[...used]} / ${[...abandoned]}` : '' }
}

/** The message a branch is read at: its head, or the reply being written below it. */
export function headBeingRead(graph: Graph, branchId: BranchId): MessageId | null {
  const headId = graph.branches.find((branch) => branch.id === branchId)?.headId ?? null
  const live = graph.runs.find((run) => run.branchId === branchId && run.replyTo === headId)
  return live?.replyId ?? headId
}

/** The depth down to which each lane is in use. */
type Depths = Map<number, number>

const nothingHidden = { used: new Map<number, number>(), abandoned: new Map<number, number>() }

/** The depth down to which each lane is in use, and to which only archived branches lead; the latter is empty without such branches. */
function lanesInUse(index: GraphIndex, shown: readonly GraphBranch[]): { used: Depths; abandoned: Depths } {
  const { branches, checkpoints, runs } = index.graph
  const archived = branches.filter((branch) => !shown.includes(branch))
  if (archived.length === 0) return nothingHidden
  const used: Depths = new Map()
  const abandoned: Depths = new Map()
  for (const { headId } of shown) cover(index, used, headId)
  for (const { messageId } of checkpoints) cover(index, used, messageId)
  for (const { replyTo } of runs) cover(index, used, replyTo)
  for (const { headId } of archived) cover(index, abandoned, headId)
  return { used, abandoned }
}

/** Marks every lane of a chain as covered down to where the chain leaves it. */
function cover(index: GraphIndex, depths: Depths, headId: MessageId | null): void {
  const head = headId === null ? undefined : index.byId(headId)
  if (!head) return
  for (const { lane, top } of index.stretches(head)) {
    const covered = depths.get(lane)
    // a lane covered this far down has the lanes above it covered too
    if (covered !== undefined && covered >= top) return
    depths.set(lane, top)
    if (covered !== undefined) return
  }
}

function asVersions(nodes: readonly GraphNode[], parentId: MessageId | null): VisibleNode[] {
  return nodes.map((node, at) => ({ node, parentId, childIds: [], version: at + 1, versions: nodes.length }))
}

/** Finds the labels of the messages that are shown. */
export function labelsOf(
  index: GraphIndex,
  branches: readonly GraphBranch[],
  shown: VisibleGraph['byId'],
  branchId: BranchId,
): Map<MessageId, NodeLabels> {
  const labels = new Map<MessageId, NodeLabels>()
  const labelsAt = (id: MessageId): NodeLabels => {
    const known = labels.get(id) ?? { branches: [], waiting: [], checkpoints: [] }
    labels.set(id, known)
    return known
  }
  for (const branch of branches) {
    if (branch.headId === null || !shown.has(branch.headId)) continue
    const at = labelsAt(branch.headId)
    const waits = branch.id !== branchId && hasNothingOfItsOwn(index, branch)
    if (waits) at.waiting.push(branch)
    else at.branches.push(branch)
  }
  for (const [id, { branches: named, waiting }] of labels) {
    // the end of a line is always labelled
    const isEnd = shown.get(id)?.childIds.length === 0
    if (isEnd && named.length === 0) named.push(...waiting.splice(0, 1))
  }
  for (const checkpoint of index.graph.checkpoints) {
    if (shown.has(checkpoint.messageId)) labelsAt(checkpoint.messageId).checkpoints.push(checkpoint)
  }
  return labels
}

/** True when a branch still stands where it was opened: on the chain of the branch it was opened from. */
function hasNothingOfItsOwn(index: GraphIndex, { headId, parentBranchId }: GraphBranch): boolean {
  const parent = parentBranchId === null ? undefined : index.branch(parentBranchId)
  return headId !== null && parent !== undefined && index.isOnChain(headId, parent.headId)
}
