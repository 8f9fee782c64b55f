import { indexGraph, laneHues, Timeline } from '@/lib/graph'
import type { Graph, OpenedShare } from '@/lib/protocol'
import type { SharingPorts } from './shares-port'

/** Graphs that are remembered, and the messages of each at most: a link that many open is read once. */
const [MOST, LARGEST] = [8, 20_000]

/**
 * Graphs by the content of their links: a fixed link's graph stays, a following link's graph stays until the
 * log grows.
 */
const remembered = new Map<string, Graph>()

/**
 * The graph that a link opens: of the time when the link was made, or the present one for a link that
 * follows. Undefined when the chat is gone.
 */
export async function readShownGraph(
  ports: Pick<SharingPorts, 'reads'>,
  share: OpenedShare,
): Promise<Graph | undefined> {
  const key = JSON.stringify([share.id, share.title, share.follows ? share.lastSeq : share.seq])
  const known = remembered.get(key)
  if (known) return known
  const graph = await readAnew(ports, share)
  if (!graph || graph.nodes.length > LARGEST) return graph
  remembered.set(key, graph)
  for (const oldest of remembered.keys()) {
    if (remembered.size <= MOST) break
    remembered.delete(oldest)
  }
  return graph
}

async function readAnew(
  { reads }: Pick<SharingPorts, 'reads'>,
  share: OpenedShare,
): Promise<Graph | undefined> {
  const { chatId, ownerId, seq, follows } = share
  const now = await reads.graph(chatId, ownerId)
  if (!now) return undefined
  if (follows || now.seq <= seq) return shownGraph(now, share)
  const history = await reads.history(chatId, ownerId, 0)
  if (!history) return undefined
  const timeline = new Timeline(indexGraph(now), history.movements)
  const later = history.movements.findIndex((movement) => movement.seq > seq)
  return shownGraph(timeline.graphAt(later === -1 ? timeline.length : later), share)
}

/**
 * A graph without its hidden parts: messages of the link's branch below its last shown one, archived branches
 * with the messages that no other branch holds, instructions, replies under way, failures, and the ids of the
 * chat.
 */
function shownGraph(graph: Graph, { id, branchId, end }: OpenedShare): Graph {
  const index = indexGraph(graph)
  const endId = index.at(end.lane, end.depth)?.id ?? null
  const heads = new Map(graph.branches.map((branch) => [branch.id, branch.headId]))
  const branches = graph.branches
    .filter((branch) => branch.archivedAt === null || branch.id === branchId)
    .map((branch) => {
      const headId = branch.id === branchId ? endId : branch.headId
      const parentHead = heads.get(branch.parentBranchId ?? '') ?? ''
      const hasOwn = headId !== null && index.commonAncestor(headId, parentHead)?.id !== headId
      // a title is made of a branch's first own message: a link that ends above it must not reveal the title
      return { ...branch, headId, title: hasOwn ? branch.title : null }
    })
  const branchIds = new Set(branches.map((branch) => branch.id))
  const shown = new Set<string>()
  for (const { headId } of branches) {
    let node = headId === null ? undefined : index.byId(headId)
    while (node && !shown.has(node.id)) {
      shown.add(node.id)
      node = index.parentOf(node.id) ?? undefined
    }
  }
  const nodes = graph.nodes.filter((node) => shown.has(node.id))
  const lanes = new Set(nodes.map(({ lane }) => lane))
  const hues = laneHues(graph.lanes)
  return {
    // the key of the chat is its owner's to know
    chatId: `${id}`,
    seq: 0,
    title: graph.title,
    activeBranchId: branchId,
    nodes: nodes.map(({ mergeParentId, copiedFromId, ...node }) => ({
      ...node,
      ...(node.role === 'system' && { preview: '' }),
      ...(mergeParentId !== undefined && shown.has(mergeParentId) && { mergeParentId }),
      ...(copiedFromId !== undefined && shown.has(copiedFromId) && { copiedFromId }),
    })),
    lanes: graph.lanes
      .filter(({ lane }) => lanes.has(lane))
      .map((lane) => ({ ...lane, hue: hues.get(lane.lane) })),
    branches: branches.map(({ failure: _, archivedAt: __, parentBranchId, ...branch }) => ({
      ...branch,
      archivedAt: null,
      parentBranchId: parentBranchId !== null && branchIds.has(parentBranchId) ? parentBranchId : null,
    })),
    checkpoints: graph.checkpoints.filter(({ messageId }) => shown.has(messageId)),
    runs: [],
  }
}
