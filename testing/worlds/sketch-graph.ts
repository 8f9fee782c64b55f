import type { Graph, GraphBranch, GraphNode } from '@/lib/protocol'

/**
 * A graph for tests, from messages in the order they were written: `'a'` is a root, `'a>b'` a reply to it. Places
 * follow the store's rule; message n is written at time n; roles alternate by depth. One branch, `main`, is empty.
 */
export function sketchGraph(...messages: string[]): Graph {
  const graph: Graph = {
    chatId: 'chat',
    seq: 0,
    title: null,
    activeBranchId: 'main',
    nodes: [],
    lanes: [],
    branches: [branch('main', null)],
    checkpoints: [],
    runs: [],
  }
  const placed = new Map<string, GraphNode>()
  const taken = new Set<string>()
  const { nodes, lanes } = graph
  for (const [at, message] of messages.entries()) {
    const [first = '', reply] = message.split('>')
    const id = reply ?? first
    const parent = reply === undefined ? undefined : placed.get(first)
    const depth = parent ? parent.depth + 1 : 0
    const staysIn = parent && !taken.has(`${parent.lane} ${depth}`) ? parent.lane : null
    const lane = staysIn ?? lanes.length
    if (staysIn === null) lanes.push({ lane, parentLane: parent?.lane ?? null, baseDepth: depth })
    const role = depth % 2 === 0 ? 'user' : 'assistant'
    const node: GraphNode = { id, lane, depth, role, preview: id, status: 'done', createdAt: at }
    nodes.push(node)
    placed.set(id, node)
    taken.add(`${lane} ${depth}`)
  }
  return graph
}

/** A branch for tests, whose id is its name. */
export const branch = (
  name: string,
  headId: string | null,
  more: Partial<GraphBranch> = {},
): GraphBranch => ({
  id: name,
  name,
  headId,
  parentBranchId: null,
  createdAt: 0,
  archivedAt: null,
  ...more,
})

/** Messages for {@link sketchGraph}: the nth replies to one of those before it, or is a root where `picks[n]` says so. */
export const messagesFrom = (picks: readonly number[]): string[] =>
  picks.map((pick, at) => {
    const parent = pick % (at + 1)
    return parent === at ? `m${at}` : `m${parent}>m${at}`
  })
