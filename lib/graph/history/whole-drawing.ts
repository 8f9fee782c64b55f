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

/** The nodes that a time shows, by their places in the whole; 1 for those it shows. */
type There = Uint8Array

/** Folds of which a time shows a part, by their places in the whole: the items in their stead. */
type Cuts = ReadonlyMap<number, readonly DrawnItem[]>

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
  /** for each node: its item, and the nodes below it; those of null are the roots */
  readonly #drawnAt: Int32Array
  readonly #parentAt: Int32Array
  readonly #repliesAt: number[][]
  readonly #rootsAt: number[] = []
  /** for each item: its first node, the item above it, and the items below it */
  readonly #firstAt: Int32Array
  readonly #aboveAt: Int32Array
  readonly #belowAt: number[][]
  /** for each line its items */
  readonly #lines: readonly Int32Array[]

  /**
   * @param whole every message, those of archived branches too
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
    this.#lines = this.#map.lines.map(({ items }) =>
      Int32Array.from(items, ({ id }) => this.#itemAt.get(id) ?? -1),
    )
  }

  /** The part that a time shows, told by its index. */
  at(index: GraphIndex, { branchId, selectedId }: PartOptions): DrawnPart {
    const { branches, hides } = shownAt(index, { branchId })
    const there = this.#thereAt(index, hides)
    const { nodes, byId } = this.#nodesAt(there)
    const labels = labelsOf(index, branches, byId, branchId)
    const emptyBranches = branches.filter((branch) => branch.headId === null)
    const shown = [headBeingRead(index.graph, branchId), selectedId, ...labels.keys()]
    const folded = withoutShown(this.folded, shown)
    const drawn = this.#drawnAtTime(there, this.#cutsAt(there, byId, shown, folded), byId)
    return { visible: { nodes, byId, labels, emptyBranches }, folded, ...drawn }
  }

  #thereAt(index: GraphIndex, hides: ReturnType<typeof shownAt>['hides']): There {
    const there = new Uint8Array(this.#nodes.length)
    for (const node of index.graph.nodes) {
      const at = this.#nodeAt.get(node.id)
      if (at !== undefined && !hides?.(node)) there[at] = 1
    }
    // below what is hidden nothing is seen
    if (hides) {
      for (const [at, parentAt] of this.#parentAt.entries())
        if (parentAt >= 0 && !there[parentAt]) there[at] = 0
    }
    return there
  }

  #nodesAt(there: There): Pick<VisibleGraph, 'nodes' | 'byId'> {
    const nodes: VisibleNode[] = []
    const changed = new Map<MessageId, VisibleNode>()
    // those beside a version that is not there yet are counted anew
    const versions = new Map<number, Pick<VisibleNode, 'version' | 'versions'>>()
    const repliesThere = (replies: readonly number[]): number[] | null => {
      if (replies.every((at) => there[at])) return null
      const those = replies.filter((at) => there[at])
      for (const [nth, at] of those.entries()) versions.set(at, { version: nth + 1, versions: those.length })
      return those
    }
    repliesThere(this.#rootsAt)
    for (const [at, visible] of this.#nodes.entries()) {
      if (!there[at]) continue
      const replies = repliesThere(this.#repliesAt[at] ?? [])
      const counted = versions.size > 0 ? versions.get(at) : undefined
      if (!replies && !counted) {
        nodes.push(visible)
        continue
      }
      const childIds = replies ? replies.map((reply) => this.#nodes[reply]?.node.id ?? '') : visible.childIds
      const now = { ...visible, ...counted, childIds }
      changed.set(visible.node.id, now)
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
    there: There,
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

  #drawnAtTime(there: There, cuts: Cuts, nodeBy: VisibleGraph['byId']): Pick<DrawnPart, 'drawn' | 'map'> {
    const items: DrawnItem[] = []
    const rootIds: ItemId[] = []
    const fresh = new Map<ItemId, DrawnItem>()
    /** for each item of the whole what is drawn of it */
    const pieces: (readonly DrawnItem[] | undefined)[] = new Array(this.#items.length)
    const pieceAbove = (at: number): DrawnItem | undefined => {
      const above = pieces[this.#aboveAt[at] ?? -1]
      return above && above.length > 1 ? holding(above, this.#parentOf(at)) : above?.[0]
    }
    const idOf = (at: number): ItemId => cuts.get(at)?.[0]?.id ?? this.#items[at]?.id ?? ''
    for (const [at, whole] of this.#items.entries()) {
      if (!there[this.#firstAt[at] ?? -1]) continue
      const above = pieceAbove(at)
      const belowAt = this.#belowAt[at] ?? []
      const below = belowAt.filter((each) => there[this.#firstAt[each] ?? -1])
      const cut = cuts.get(at)
      const parentId = above?.id ?? null
      const row = above ? above.row + 1 : whole.row
      const now = whole.kind === 'message' ? nodeBy.get(whole.id) : undefined
      const isSame =
        !cut &&
        parentId === whole.parentId &&
        row === whole.row &&
        below.length === belowAt.length &&
        below.every((each, nth) => idOf(each) === whole.childIds[nth]) &&
        (whole.kind === 'fold' || (now?.version === whole.version && now.versions === whole.versions))
      const drawn = isSame ? [whole] : (cut ?? [copyOf(whole, now)])
      if (!isSame) {
        for (const [nth, piece] of drawn.entries()) {
          piece.row = row + nth
          if (nth === 0) piece.parentId = parentId
          fresh.set(piece.id, piece)
        }
        for (const each of below)
          (holding(drawn, this.#parentOf(each)) ?? drawn.at(-1))?.childIds.push(idOf(each))
      }
      pieces[at] = drawn
      items.push(...drawn)
      if (parentId === null && drawn[0]) rootIds.push(drawn[0].id)
    }
    const get = (id: ItemId): DrawnItem | undefined => {
      const known = fresh.get(id)
      if (known) return known
      const at = this.#itemAt.get(id)
      const drawn = at === undefined ? undefined : pieces[at]
      return drawn?.[0]?.id === id ? drawn[0] : undefined
    }
    const itemOf = (id: MessageId): DrawnItem | undefined => {
      const at = this.#nodeAt.get(id)
      return at !== undefined && there[at] ? holding(pieces[this.#drawnAt[at] ?? -1] ?? [], id) : undefined
    }
    const drawn = { items, byId: { get, has: (id: ItemId) => get(id) !== undefined }, rootIds, itemOf }
    return { drawn, map: this.#placesOf(pieces, pieceAbove) }
  }

  /** Places what is drawn in the rows of the whole. */
  #placesOf(
    pieces: readonly (readonly DrawnItem[] | undefined)[],
    pieceAbove: (at: number) => DrawnItem | undefined,
  ): MapPlaces {
    const moved = new Map<ItemId, Place>()
    const placeOf = (id: ItemId): Place | undefined => moved.get(id) ?? this.#map.places.get(id)
    const lines: MapLine[] = []
    let columns = 0
    for (const [lineAt, line] of this.#map.lines.entries()) {
      const itemsAt = this.#lines[lineAt] ?? new Int32Array()
      const [firstAt = -1] = itemsAt
      if (!pieces[firstAt]) continue
      const above = pieceAbove(firstAt)
      const stem = (above && placeOf(above.id)) ?? null
      const from = above && stem ? stem.column + columnsOf(above) : 0
      const isWhole = itemsAt.every(
        (at, nth) => pieces[at]?.length === 1 && pieces[at]?.[0] === line.items[nth],
      )
      if (isWhole && from === line.from && stem?.column === line.stem?.column) {
        lines.push(line)
        columns = Math.max(columns, line.to + 1)
        continue
      }
      const { row } = line
      const items: DrawnItem[] = []
      let column = from
      for (const at of itemsAt) {
        for (const item of pieces[at] ?? []) {
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
const copyOf = (item: DrawnItem, now: VisibleNode | undefined): DrawnItem =>
  item.kind === 'message' && now
    ? { ...item, version: now.version, versions: now.versions, childIds: [] }
    : { ...item, childIds: [] }
