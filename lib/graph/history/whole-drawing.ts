import type { BranchId, MessageId } from '@/lib/events'
import { type DrawnGraph, type DrawnItem, drawnGraph, type ItemId } from '../drawn-graph'
import { withoutShown } from '../fold-stretches'
import type { GraphIndex } from '../graph-index'
import { columnsOf, type MapLine, type MapPlaces, type Place, placeLines } from '../map/place-lines'
import { headBeingRead, labelsOf, shownAt, type VisibleGraph, type VisibleNode } from '../visible-graph'

/** The part of a drawing that a time shows. */
export interface DrawnPart {
  visible: VisibleGraph
  /** the messages that are folded */
  folded: ReadonlySet<MessageId>
  drawn: DrawnGraph
  map: MapPlaces
}

interface PartOptions {
  branchId: BranchId
  /** a message that is never folded */
  selectedId: MessageId | null
}

/** A mark for each node, or each item, of the whole. */
type Marks = Uint8Array
/** The mark of an item that hangs from another one than in the whole, or further down. */
const moves = 2

/** Folds of which a time shows a part, by their places in the whole: the items in their stead. */
type Cuts = ReadonlyMap<number, readonly DrawnItem[]>

interface Part {
  /** the nodes that a time shows */
  there: Marks
  /** the shown nodes that are not as in the whole */
  touched: Marks
  cuts: Cuts
}

type Pieces = (DrawnItem | undefined)[]

/**
 * The drawing of every message there ever was. Each time shows a part of it: a message keeps its row, and what two times
 * have in common is the same object. A part costs what differs from the whole, and a look at each message.
 */
export class WholeDrawing {
  readonly #nodes: readonly VisibleNode[]
  readonly #items: readonly DrawnItem[]
  readonly #map: MapPlaces
  readonly #nodeAt = new Map<MessageId, number>()
  readonly #itemAt = new Map<ItemId, number>()
  /** for each node: its item, and the nodes below it; the nodes below null are the roots */
  readonly #drawnAt: Int32Array
  readonly #parentAt: Int32Array
  readonly #repliesAt: number[][]
  readonly #rootsAt: number[] = []
  /** for each item: its first node, the item above it, and the items below it */
  readonly #firstAt: Int32Array
  readonly #aboveAt: Int32Array
  readonly #belowAt: number[][]
  /** for each line its items, and for each item its line */
  readonly #lines: readonly (readonly number[])[]
  readonly #lineAt: Int32Array

  /**
   * @param whole every message, also of archived branches
   * @param folded the messages that are folded at any time, unless something hangs on them then
   */
  constructor(
    whole: Pick<VisibleGraph, 'nodes'>,
    private readonly folded: ReadonlySet<MessageId>,
  ) {
    const drawn = drawnGraph(whole, folded)
    this.#nodes = whole.nodes
    this.#items = drawn.items
    this.#map = placeLines(drawn)
    this.#drawnAt = new Int32Array(whole.nodes.length)
    this.#parentAt = new Int32Array(whole.nodes.length).fill(-1)
    this.#repliesAt = whole.nodes.map(() => [])
    this.#firstAt = new Int32Array(drawn.items.length)
    this.#aboveAt = new Int32Array(drawn.items.length).fill(-1)
    this.#belowAt = drawn.items.map(() => [])
    for (const [at, { node, parentId }] of whole.nodes.entries()) {
      this.#nodeAt.set(node.id, at)
      const parentAt = parentId === null ? undefined : this.#nodeAt.get(parentId)
      this.#parentAt[at] = parentAt ?? -1
      const beside = parentAt === undefined ? this.#rootsAt : this.#repliesAt[parentAt]
      beside?.push(at)
    }
    for (const [at, item] of drawn.items.entries()) {
      this.#itemAt.set(item.id, at)
      const aboveAt = item.parentId === null ? undefined : this.#itemAt.get(item.parentId)
      this.#aboveAt[at] = aboveAt ?? -1
      if (aboveAt !== undefined) this.#belowAt[aboveAt]?.push(at)
      const [first, ...others] = nodesOf(item)
      this.#firstAt[at] = this.#nodeAt.get(first?.id ?? '') ?? -1
      for (const node of [first, ...others]) this.#drawnAt[this.#nodeAt.get(node?.id ?? '') ?? -1] = at
    }
    this.#lines = this.#map.lines.map(({ items }) => items.map(({ id }) => this.#itemAt.get(id) ?? -1))
    this.#lineAt = new Int32Array(drawn.items.length)
    for (const [lineAt, itemsAt] of this.#lines.entries()) for (const at of itemsAt) this.#lineAt[at] = lineAt
  }

  /** The part that a time shows, told by its index. */
  at(index: GraphIndex, { branchId, selectedId }: PartOptions): DrawnPart {
    const { branches, hides } = shownAt(index, { branchId })
    const there = this.#thereAt(index, hides)
    const touched = this.#touchedAt(there)
    const { nodes, byId } = this.#nodesAt(there, touched)
    const labels = labelsOf(index, branches, byId, branchId)
    const emptyBranches = branches.filter((branch) => branch.headId === null)
    const shown = [headBeingRead(index.graph, branchId), selectedId, ...labels.keys()]
    const folded = withoutShown(this.folded, shown)
    const cuts = this.#cutsAt(there, byId, shown, folded)
    return {
      visible: { nodes, byId, labels, emptyBranches },
      folded,
      ...this.#drawnPart({ there, touched, cuts }, byId),
    }
  }

  #thereAt(index: GraphIndex, hides: ReturnType<typeof shownAt>['hides']): Marks {
    const there = new Uint8Array(this.#nodes.length)
    for (const node of index.graph.nodes) {
      const at = this.#nodeAt.get(node.id)
      if (at !== undefined && !hides?.(node)) there[at] = 1
    }
    // below a hidden message nothing is seen
    if (hides) {
      for (let at = 0; at < there.length; at++) {
        const parentAt = this.#parentAt[at] ?? -1
        if (parentAt >= 0 && !there[parentAt]) there[at] = 0
      }
    }
    return there
  }

  /** The nodes that have fewer replies, or fewer versions beside them, than in the whole. */
  #touchedAt(there: Marks): Marks {
    const touched = new Uint8Array(this.#nodes.length)
    for (let at = 0; at < there.length; at++) {
      const parentAt = this.#parentAt[at] ?? -1
      if (there[at] || (parentAt >= 0 && !there[parentAt])) continue
      if (parentAt >= 0) touched[parentAt] = 1
      for (const beside of this.#repliesTo(parentAt)) touched[beside] = 1
    }
    return touched
  }

  #repliesTo(parentAt: number): readonly number[] {
    return (parentAt < 0 ? this.#rootsAt : this.#repliesAt[parentAt]) ?? []
  }

  #nodesAt(there: Marks, touched: Marks): Pick<VisibleGraph, 'nodes' | 'byId'> {
    const nodes: VisibleNode[] = []
    const changed = new Map<MessageId, VisibleNode>()
    for (let at = 0; at < there.length; at++) {
      const whole = there[at] ? this.#nodes[at] : undefined
      if (!whole) continue
      if (!touched[at]) {
        nodes.push(whole)
        continue
      }
      const beside = this.#repliesTo(this.#parentAt[at] ?? -1).filter((each) => there[each])
      const childIds = whole.childIds.filter((_, nth) => there[this.#repliesTo(at)[nth] ?? -1])
      const now = { ...whole, childIds, version: beside.indexOf(at) + 1, versions: beside.length }
      changed.set(whole.node.id, now)
      nodes.push(now)
    }
    const get = (id: MessageId): VisibleNode | undefined => {
      const at = this.#nodeAt.get(id)
      return at !== undefined && there[at] ? (changed.get(id) ?? this.#nodes[at]) : undefined
    }
    return { nodes, byId: { get, has: (id) => get(id) !== undefined } }
  }

  /** The folds that a time does not show whole. */
  #cutsAt(
    there: Marks,
    byId: VisibleGraph['byId'],
    shown: readonly (MessageId | null)[],
    folded: ReadonlySet<MessageId>,
  ): Cuts {
    const cuts = new Map<number, readonly DrawnItem[]>()
    if (this.folded.size === 0) return cuts
    const unfolded = new Set<number>()
    for (const id of shown) {
      if (id !== null && this.folded.has(id)) unfolded.add(this.#drawnAt[this.#nodeAt.get(id) ?? -1] ?? -1)
    }
    for (const [at, item] of this.#items.entries()) {
      if (item.kind === 'message' || !there[this.#firstAt[at] ?? -1]) continue
      if (!unfolded.has(at) && byId.has(item.nodes.at(-1)?.id ?? '')) continue
      const nodes = item.nodes.flatMap(({ id }) => byId.get(id) ?? [])
      cuts.set(at, drawnGraph({ nodes }, folded).items)
    }
    return cuts
  }

  #drawnPart(part: Part, nodeBy: VisibleGraph['byId']): Pick<DrawnPart, 'drawn' | 'map'> {
    const { there, cuts } = part
    const items: DrawnItem[] = []
    const rootIds: ItemId[] = []
    const fresh = new Map<ItemId, DrawnItem>()
    /** for each item of the whole the item drawn for it; the first of those it is cut into */
    const pieces: Pieces = new Array(this.#items.length)
    const changes = this.#changesAt(part)
    for (let at = 0; at < this.#items.length; at++) {
      const whole = there[this.#firstAt[at] ?? -1] ? this.#items[at] : undefined
      if (!whole) continue
      if (!changes[at]) {
        pieces[at] = whole
        items.push(whole)
        if (whole.parentId === null) rootIds.push(whole.id)
        continue
      }
      const above = this.#pieceAbove(at, pieces, cuts)
      const drawn = cuts.get(at) ?? [copyOf(whole, nodeBy)]
      for (const [nth, piece] of drawn.entries()) {
        piece.row = (above ? above.row + 1 : whole.row) + nth
        if (nth === 0) piece.parentId = above?.id ?? null
        fresh.set(piece.id, piece)
        items.push(piece)
      }
      for (const below of this.#belowAt[at] ?? []) {
        if (!there[this.#firstAt[below] ?? -1]) continue
        const id = cuts.get(below)?.[0]?.id ?? this.#items[below]?.id ?? ''
        holding(drawn, this.#parentOf(below))?.childIds.push(id)
        // they hang from another item, or further down
        if (cuts.has(at) || changes[at] === moves) changes[below] = moves
      }
      pieces[at] = drawn[0]
      if (!above && drawn[0]) rootIds.push(drawn[0].id)
    }
    const get = (id: ItemId): DrawnItem | undefined => {
      const at = this.#itemAt.get(id)
      const piece = at === undefined ? undefined : pieces[at]
      return fresh.get(id) ?? (piece?.id === id ? piece : undefined)
    }
    const itemOf = (id: MessageId): DrawnItem | undefined => {
      const nodeAt = this.#nodeAt.get(id)
      if (nodeAt === undefined || !there[nodeAt]) return undefined
      const at = this.#drawnAt[nodeAt] ?? -1
      const cut = cuts.get(at)
      return cut ? holding(cut, id) : pieces[at]
    }
    const drawn = { items, byId: { get, has: (id: ItemId) => get(id) !== undefined }, rootIds, itemOf }
    return { drawn, map: this.#placesOf(pieces, cuts, changes) }
  }

  /** The items that are not drawn as in the whole. */
  #changesAt({ touched, cuts }: Part): Marks {
    const changes = new Uint8Array(this.#items.length)
    for (let at = 0; at < touched.length; at++) if (touched[at]) changes[this.#drawnAt[at] ?? -1] = 1
    for (const at of cuts.keys()) {
      changes[at] = 1
      const aboveAt = this.#aboveAt[at] ?? -1
      if (aboveAt >= 0) changes[aboveAt] = Math.max(1, changes[aboveAt] ?? 0)
    }
    return changes
  }

  /** The item that an item of the whole hangs from. */
  #pieceAbove(at: number, pieces: Pieces, cuts: Cuts): DrawnItem | undefined {
    const aboveAt = this.#aboveAt[at] ?? -1
    const cut = cuts.get(aboveAt)
    return cut ? holding(cut, this.#parentOf(at)) : pieces[aboveAt]
  }

  /** Places the drawn items in the rows of the whole. */
  #placesOf(pieces: Pieces, cuts: Cuts, changes: Marks): MapPlaces {
    const changed = new Set<number>()
    for (let at = 0; at < changes.length; at++) if (changes[at]) changed.add(this.#lineAt[at] ?? -1)
    const moved = new Map<ItemId, Place>()
    const placeOf = (id: ItemId): Place | undefined => moved.get(id) ?? this.#map.places.get(id)
    const lines: MapLine[] = []
    let columns = 0
    for (const [lineAt, line] of this.#map.lines.entries()) {
      const itemsAt = this.#lines[lineAt] ?? []
      const [firstAt = -1] = itemsAt
      if (!pieces[firstAt]) continue
      const above = this.#pieceAbove(firstAt, pieces, cuts)
      const stem = (above && placeOf(above.id)) ?? null
      const from = above && stem ? stem.column + columnsOf(above) : 0
      // a line that ends earlier has another end
      if (!changed.has(lineAt) && from === line.from && stem?.column === line.stem?.column) {
        lines.push(line)
        columns = Math.max(columns, line.to + 1)
        continue
      }
      const { row } = line
      const items: DrawnItem[] = []
      let column = from
      for (const at of itemsAt) {
        const piece = pieces[at]
        if (!piece) break
        for (const item of cuts.get(at) ?? [piece]) {
          items.push(item)
          if (this.#map.places.get(item.id)?.column !== column) moved.set(item.id, { column, row })
          column += columnsOf(item)
        }
      }
      lines.push({ row, from, to: column - 1, items, stem })
      columns = Math.max(columns, column)
    }
    return { places: { get: placeOf }, lines, columns, rows: this.#map.rows }
  }

  /** The message that the first one of an item replies to. */
  #parentOf(at: number): MessageId | null {
    return this.#nodes[this.#firstAt[at] ?? -1]?.parentId ?? null
  }
}

const nodesOf = (item: DrawnItem) => (item.kind === 'message' ? [item.node] : item.nodes)

const holding = (pieces: readonly DrawnItem[], id: MessageId | null): DrawnItem | undefined =>
  pieces.length === 1 ? pieces[0] : pieces.find((piece) => nodesOf(piece).some((node) => node.id === id))

/** An item without replies, with the versions that it has at a time. */
function copyOf(item: DrawnItem, nodeBy: VisibleGraph['byId']): DrawnItem {
  const now = item.kind === 'message' ? nodeBy.get(item.id) : undefined
  if (item.kind === 'fold' || !now) return { ...item, childIds: [] }
  return { ...item, version: now.version, versions: now.versions, childIds: [] }
}
