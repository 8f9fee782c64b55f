import type { BranchId, MessageId } from '@/lib/events'
import type { Graph, GraphBranch, GraphLane, GraphNode } from '@/lib/protocol'
import {
  aboveLane,
  aboveNode,
  commonPlace,
  emptyTables,
  type GraphTables,
  growTables,
  noNodes,
  place,
  type Stretch,
} from './graph-tables'

/** An index this far from its base is cheaper to build anew. */
const maxLayer = 512

/**
 * Answers questions about one graph without walking it: built once in linear time, grown per message by
 * {@link extendIndex}. Ancestry is arithmetic on lanes, so it costs the forks between two messages, not the depth.
 *
 * Ids the graph does not hold answer as if they stood alone: no parent, no children, on no chain.
 *
 * @example
 * const index = indexGraph(graph)
 * index.chainTo(headId).map((node) => node.preview)
 */
export class GraphIndex {
  private changes: ReadonlySet<MessageId> | undefined

  constructor(
    readonly graph: Graph,
    private readonly tables: GraphTables,
  ) {}

  /** The number after the highest lane in use. */
  get nextLane(): number {
    return this.tables.highestLane + 1
  }

  get roots(): readonly GraphNode[] {
    return this.tables.roots
  }

  byId(id: MessageId): GraphNode | undefined {
    return this.tables.byId.get(id)
  }

  at(lane: number, depth: number): GraphNode | undefined {
    return this.tables.byPlace.get(place(lane, depth))
  }

  lane(lane: number): GraphLane | undefined {
    return this.tables.lanes.get(lane)
  }

  branch(id: BranchId): GraphBranch | undefined {
    return this.graph.branches.find((branch) => branch.id === id)
  }

  /** True when a branch ends with a tool that waits for a person. */
  waits({ headId }: Pick<GraphBranch, 'headId'>): boolean {
    return headId !== null && this.byId(headId)?.holds?.includes('question') === true
  }

  /**
   * True when a tool that a message calls waits for a person: an answered call has the rest of the reply below it.
   */
  asksAt(id: MessageId): boolean {
    return this.byId(id)?.holds?.includes('question') === true && this.branchesAt(id).length > 0
  }

  /** True when a message is in another context than the one before it. */
  changesContext(id: MessageId): boolean {
    this.changes ??= new Set(this.graph.contextChanges)
    return this.changes.has(id)
  }

  parentOf(id: MessageId): GraphNode | null {
    const node = this.byId(id)
    const above = node && aboveNode(this.tables.lanes, node)
    return (above && this.at(above.lane, above.top)) ?? null
  }

  childrenOf(id: MessageId): readonly GraphNode[] {
    return this.tables.children.get(id) ?? noNodes
  }

  /** The versions of a message, itself among them: children of one parent, or all roots; oldest first. */
  siblingsOf(id: MessageId): readonly GraphNode[] {
    if (!this.byId(id)) return noNodes
    const parent = this.parentOf(id)
    return parent ? this.childrenOf(parent.id) : this.roots
  }

  /** Root to message, both included; empty for an unknown id. Begins below a message that has not arrived yet. */
  chainTo(id: MessageId): GraphNode[] {
    const chain: GraphNode[] = []
    let node = this.byId(id) ?? null
    while (node) {
      chain.push(node)
      node = this.parentOf(node.id)
    }
    return chain.reverse()
  }

  isOnChain(id: MessageId, headId: MessageId | null): boolean {
    const node = this.byId(id)
    const head = headId === null ? undefined : this.byId(headId)
    if (!node || !head) return false
    for (const { lane, top } of this.stretches(head)) {
      if (lane === node.lane) return node.depth <= top
      // lanes hang below lanes with smaller numbers
      if (lane < node.lane) return false
    }
    return false
  }

  /** The deepest message both chains share, or null when they have different roots. */
  commonAncestor(a: MessageId, b: MessageId): GraphNode | null {
    const left = this.byId(a)
    const right = this.byId(b)
    if (!left || !right) return null
    const shared = commonPlace(
      { lane: left.lane, top: left.depth },
      { lane: right.lane, top: right.depth },
      (lane) => this.above(lane),
    )
    return (shared && this.at(shared.lane, shared.top)) ?? null
  }

  /** The branches whose head is this message. */
  branchesAt(id: MessageId): GraphBranch[] {
    return this.graph.branches.filter((branch) => branch.headId === id)
  }

  /**
   * The branch to open a message on: `prefer` if its chain holds the message, else of all that do the latest used.
   * Archived branches only when nothing else holds it; undefined when nothing does.
   */
  branchHolding(id: MessageId, prefer?: BranchId): GraphBranch | undefined {
    const holding = this.graph.branches.filter((branch) => this.isOnChain(id, branch.headId))
    const preferred = holding.find((branch) => branch.id === prefer)
    if (preferred) return preferred
    return holding.sort(
      (a, b) =>
        Number(a.archivedAt !== null) - Number(b.archivedAt !== null) ||
        this.lastUsed(b) - this.lastUsed(a) ||
        b.createdAt - a.createdAt,
    )[0]
  }

  /** The branch to read when another one is archived: the one it was opened from, else the latest used. */
  branchInstead(id: BranchId): GraphBranch | undefined {
    const left = this.graph.branches.filter((branch) => branch.archivedAt === null && branch.id !== id)
    const parentId = this.branch(id)?.parentBranchId
    const lastUsed = (branch: GraphBranch) => Math.max(branch.createdAt, this.lastUsed(branch))
    return left.find((branch) => branch.id === parentId) ?? left.sort((a, b) => lastUsed(b) - lastUsed(a))[0]
  }

  /** The end of the line that always takes the newest reply. */
  newestBelow(id: MessageId): GraphNode | undefined {
    let node = this.byId(id)
    for (let next = node; next; next = this.childrenOf(next.id).at(-1)) node = next
    return node
  }

  /** A chain as stretches of lanes, head first. */
  *stretches(head: GraphNode): Generator<Stretch> {
    let stretch: Stretch | null = { lane: head.lane, top: head.depth }
    while (stretch) {
      yield stretch
      stretch = this.above(stretch.lane)
    }
  }

  /** Grows by the items at the end of `graph`'s arrays; see {@link extendIndex}. */
  extended(graph: Graph): GraphIndex {
    const nodes = graph.nodes.slice(this.graph.nodes.length)
    const lanes = graph.lanes.slice(this.graph.lanes.length)
    return new GraphIndex(graph, growTables(this.tables, nodes, lanes))
  }

  /** True when growing gives the same answers as building anew, and cheaper. */
  canGrow(by: number): boolean {
    // a message that came before its parent stands among the roots until it is looked at again
    return this.tables.byId.layered + by <= maxLayer && this.roots.every((root) => root.depth === 0)
  }

  /** When the last message of a branch was written; 0 for an empty branch. */
  private lastUsed({ headId }: GraphBranch): number {
    return (headId !== null && this.byId(headId)?.createdAt) || 0
  }

  private above(lane: number): Stretch | null {
    return aboveLane(this.lane(lane))
  }
}

/** One index for each state of a graph, shared by all its readers. */
const indexes = new WeakMap<Graph, GraphIndex>()

const keep = (index: GraphIndex): GraphIndex => {
  indexes.set(index.graph, index)
  return index
}

/** The index of a graph, made in one pass when it is first asked for. */
export const indexGraph = (graph: Graph): GraphIndex =>
  indexes.get(graph) ?? keep(new GraphIndex(graph, growTables(emptyTables, graph.nodes, graph.lanes)))

/**
 * The index of `graph`, made from that of an earlier state. When only messages and lanes were appended (what
 * {@link applyDelta} does) it costs the appended ones; anything else is indexed anew. The earlier index stays valid.
 */
export function extendIndex(earlier: GraphIndex, graph: Graph): GraphIndex {
  const before = earlier.graph
  const appended =
    !indexes.has(graph) &&
    startsWith(graph.nodes, before.nodes) &&
    startsWith(graph.lanes, before.lanes) &&
    earlier.canGrow(graph.nodes.length - before.nodes.length)
  return appended ? keep(earlier.extended(graph)) : indexGraph(graph)
}

function startsWith<T>(longer: readonly T[], shorter: readonly T[]): boolean {
  if (longer === shorter) return true
  return longer.length >= shorter.length && shorter.every((item, at) => longer[at] === item)
}
