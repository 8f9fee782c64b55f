import type { BranchId, MessageId } from '@/lib/events'
import type {
  Graph,
  GraphBranch,
  GraphCheckpoint,
  GraphLane,
  GraphNode,
  Movement,
  Place,
} from '@/lib/protocol'
import { extendIndex, type GraphIndex, indexGraph } from '../graph-index'

/** The refs of a chat, as they stood after a movement. */
export interface Refs {
  /** in the order they were opened */
  branches: ReadonlyMap<BranchId, GraphBranch>
  /** by name */
  checkpoints: ReadonlyMap<string, GraphCheckpoint>
  /** the branch on which the chat opened; null before its first branch */
  activeBranchId: BranchId | null
}

/** The refs are kept every so many movements, and followed from there. */
const stride = 64
/** An index is grown from one at most so many movements before. */
const indexStride = 512

/**
 * The past of a graph. Positions count movements: 0 is before the first, `length` is now. Made in linear time; asked for
 * any position, in whatever order, it follows a few movements at most and shares what it can with the graph of today.
 *
 * @example
 * const timeline = new Timeline(indexGraph(graph), history.movements)
 * timeline.graphAt(timeline.length - 1).branches // as they were before the last movement
 */
export class Timeline {
  readonly movements: readonly Movement[]
  readonly #index: GraphIndex
  /** in the order they came */
  readonly #nodes: GraphNode[] = []
  readonly #lanes: GraphLane[] = []
  /** number of messages and lanes at each position */
  readonly #nodeCounts: Uint32Array
  readonly #laneCounts: Uint32Array
  /** the refs at positions 0, `stride`, 2 `stride`, … */
  readonly #kept: Refs[] = []
  /** the last index that others were grown from */
  #base: { position: number; index: GraphIndex } | null = null

  /** @param movements all of the chat's; movements of messages that the graph does not hold yet change nothing */
  constructor(index: GraphIndex, movements: readonly Movement[]) {
    this.#index = index
    this.movements = movements
    this.#nodeCounts = new Uint32Array(movements.length + 1)
    this.#laneCounts = new Uint32Array(movements.length + 1)
    const refs = copyOf(noRefs)
    for (const [at, movement] of movements.entries()) {
      if (at % stride === 0) this.#kept.push(copyOf(refs))
      this.#follow(refs, movement)
      if (movement.kind === 'message') this.#keepMessage(movement.place)
      this.#nodeCounts[at + 1] = this.#nodes.length
      this.#laneCounts[at + 1] = this.#lanes.length
    }
    if (movements.length % stride === 0) this.#kept.push(copyOf(refs))
  }

  get length(): number {
    return this.movements.length
  }

  /** The refs after so many movements; past either end, those at it. */
  refsAt(position: number): Refs {
    const to = this.#within(position)
    const kept = Math.floor(to / stride)
    const refs = copyOf(this.#kept[kept] ?? noRefs)
    for (const movement of this.movements.slice(kept * stride, to)) this.#follow(refs, movement)
    return refs
  }

  /**
   * The graph after so many movements: its messages are those of today's graph, oldest first. No reply was being written
   * then, the title is today's, and why a reply failed is not remembered.
   */
  graphAt(position: number): Graph {
    const at = this.#within(position)
    const { branches, checkpoints, activeBranchId } = this.refsAt(at)
    const { graph } = this.#index
    return {
      chatId: graph.chatId,
      title: graph.title,
      runs: [],
      seq: this.movements[at - 1]?.seq ?? 0,
      activeBranchId: activeBranchId ?? graph.activeBranchId,
      nodes: this.#nodes.slice(0, this.#nodeCounts[at]),
      lanes: this.#lanes.slice(0, this.#laneCounts[at]),
      branches: [...branches.values()],
      checkpoints: [...checkpoints.values()],
    }
  }

  /** The index of the graph after so many movements, grown from the index of an earlier position. */
  indexAt(position: number): GraphIndex {
    const from = this.#within(position) - (this.#within(position) % indexStride)
    if (this.#base?.position !== from) this.#base = { position: from, index: indexGraph(this.graphAt(from)) }
    return extendIndex(this.#base.index, this.graphAt(position))
  }

  /** The branch to read at a position: the branch that changed there, else the branch the chat opened on. */
  readingAt(position: number): BranchId {
    const movement = this.movements[this.#within(position) - 1]
    const moved = movement && 'place' in movement && 'branchId' in movement ? movement.branchId : null
    return moved ?? this.refsAt(position).activeBranchId ?? this.#index.graph.activeBranchId
  }

  /** The message a movement is about. */
  nodeOf(movement: Movement): GraphNode | undefined {
    return 'place' in movement ? this.#at(movement.place) : undefined
  }

  /** The messages where a branch was ever opened or a checkpoint saved: no stretch folds across them. */
  get marked(): ReadonlySet<MessageId> {
    const marks = this.movements.filter(({ kind }) => kind !== 'message')
    return new Set(marks.flatMap((movement) => this.nodeOf(movement)?.id ?? []))
  }

  #within(position: number): number {
    return Math.max(0, Math.min(this.length, position))
  }

  #at(place: Place | null): GraphNode | undefined {
    return place === null ? undefined : this.#index.at(place.lane, place.depth)
  }

  #keepMessage(place: Place): void {
    const node = this.#at(place)
    if (!node) return
    this.#nodes.push(node)
    const lane = this.#index.lane(node.lane)
    // a lane opens with its first message
    if (lane?.baseDepth === node.depth) this.#lanes.push(lane)
  }

  #follow(refs: RefsDraft, movement: Movement): void {
    const change = (id: BranchId, changed: Partial<GraphBranch>) => {
      const branch = refs.branches.get(id)
      if (branch) refs.branches.set(id, { ...branch, ...changed })
    }
    switch (movement.kind) {
      case 'message': {
        const node = this.#at(movement.place)
        if (node) change(movement.branchId, { headId: node.id })
        break
      }
      case 'headed': {
        const node = this.#at(movement.place)
        if (node || movement.place === null) change(movement.branchId, { headId: node?.id ?? null })
        break
      }
      case 'opened': {
        const { branchId: id, name, from: parentBranchId, at: createdAt, place } = movement
        const headId = this.#at(place)?.id ?? null
        // a title is given once and stays: the past is told by it too
        const title = this.#index.branch(id)?.title
        refs.branches.set(id, { id, name, title, headId, parentBranchId, createdAt, archivedAt: null })
        // a chat opens on its first branch until the first switch
        refs.activeBranchId ??= id
        break
      }
      case 'renamed':
        change(movement.branchId, { name: movement.name })
        break
      case 'archived':
        change(movement.branchId, { archivedAt: movement.at })
        break
      case 'restored':
        change(movement.branchId, { archivedAt: null })
        break
      case 'switched':
        refs.activeBranchId = movement.branchId
        break
      case 'saved':
      case 'moved': {
        const { name, at: createdAt } = movement
        const messageId = this.#at(movement.place)?.id
        const known = movement.kind === 'saved' ? movement.checkpointId : refs.checkpoints.get(name)?.id
        if (messageId) refs.checkpoints.set(name, { id: known ?? name, name, messageId, createdAt })
        break
      }
      case 'removed':
        refs.checkpoints.delete(movement.name)
        break
    }
  }
}

const noRefs: Refs = { branches: new Map(), checkpoints: new Map(), activeBranchId: null }

type RefsDraft = ReturnType<typeof copyOf>

const copyOf = ({ branches, checkpoints, activeBranchId }: Refs) => ({
  branches: new Map(branches),
  checkpoints: new Map(checkpoints),
  activeBranchId,
})
