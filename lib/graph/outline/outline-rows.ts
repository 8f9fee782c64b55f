import type { BranchId, MessageId } from '@/lib/events'
import type { GraphBranch, GraphNode } from '@/lib/protocol'
import { type DrawnItem, firstOf, type ItemId } from '../drawn-graph'
import { isStep } from '../fold-stretches'
import type { VisibleGraph } from '../visible-graph'
import { lineOwners } from './line-owners'
import { withRails } from './outline-rails'
import type { BranchRow, OutlineRow, RowId, UnplacedRow } from './outline-row'
import type { OutlineLine, OutlineTree } from './outline-tree'

export interface OutlineOptions {
  /** the chain being read */
  lit: ReadonlySet<MessageId>
  branchId: BranchId
  /**
   * everything that the reader has opened: lines by their first message, more branches by the row above them, and the
   * archive
   */
  opened: ReadonlySet<string>
  /** number of archived branches */
  archived?: number
}

/** Opens the archived branches. */
export const archiveKey = 'archive'
const branchRowId = (id: BranchId): RowId => `branch ${id}`
const moreKey = (above: RowId | null): string => `more ${above ?? ''}`

/** So many branches are listed below a row; where there are more, the rest waits behind one row. */
const listed = { most: 6, beforeMore: 4 }

/** A branch below a row, before it is written. */
interface Listed {
  /** number of rows that it takes while it is closed */
  rows(): number
  /** it is read or opened: its row stays though others wait */
  stays: boolean
  write(): void
}

/**
 * The rows of an outline: the chain being read and the lines that the reader has opened, message by message; every
 * other branch as one row at its fork. A row has its column and its place among the others whatever is read or open:
 * a line that opens stands below its row, and the rest of a line being read is one row where it would go on. Linear
 * in the messages.
 */
export function outlineRows(
  tree: OutlineTree,
  { labels, emptyBranches }: Pick<VisibleGraph, 'labels' | 'emptyBranches'>,
  { lit, branchId, opened, archived = 0 }: OutlineOptions,
): OutlineRow[] {
  const rows: UnplacedRow[] = []
  const headsAt = (item: DrawnItem): readonly GraphBranch[] => {
    const at = item.kind === 'message' ? labels.get(item.id) : undefined
    return at ? [...at.branches, ...at.waiting] : []
  }
  const owners = lineOwners(tree, { labels })
  /** The branch that the item above a part belongs to. */
  const ownerAbove = ({ line, from }: Part): GraphBranch | undefined => {
    const above = from > 0 ? line.items[from - 1]?.id : line.from
    return above == null ? undefined : owners.get(above)
  }
  const rowFor = (
    part: Part,
    parentId: RowId | null,
    column: number,
    opens: readonly MessageId[],
  ): BranchRow => {
    const row = rowOf(part, headsAt, parentId, column, opens)
    return { ...row, isRest: row.branch !== null && row.branch.id === ownerAbove(part)?.id }
  }
  const isLit = (item: DrawnItem | undefined): boolean => item !== undefined && isOnChain(item, lit)
  const isOpened = (item: DrawnItem | undefined): boolean => item !== undefined && opened.has(keyOf(item))
  const sidesOf = (line: OutlineLine, id: ItemId): Part[] =>
    (line.sides.get(id) ?? []).map((side) => ({ line: side, from: 0 }))

  /** Number of rows that a closed line and its forks take. */
  const closedRows = (part: Part): number => {
    let count = 1
    for (const item of itemsOf(part)) {
      count += headsAt(item).length
      for (const side of sidesOf(part.line, item.id)) count += closedRows(side)
    }
    // one of its heads names its row
    return namedBy(part, headsAt) ? count - 1 : count
  }

  /** Writes the row of a line that is closed, and below it the branches that end or fork in it. */
  const close = (part: Part, row: BranchRow) => {
    const name = namedBy(part, headsAt)
    const column = row.column + 1
    const within: Listed[] = []
    let count = 0
    rows.push(row)
    for (const item of itemsOf(part)) {
      count += sizeOf(item)
      for (const branch of headsAt(item)) {
        if (branch.id === name?.id) continue
        const last = item.kind === 'message' ? item.node : null
        const id = branchRowId(branch.id)
        const head = {
          ...row,
          id,
          branch,
          parentId: row.id,
          column,
          lane: item.lane,
          goesOn: false,
          isRest: false,
          count,
          last,
          merge: null,
        }
        within.push({ rows: () => 1, stays: false, write: () => rows.push(head) })
      }
      for (const side of sidesOf(part.line, item.id)) {
        const write = () => close(side, rowFor(side, row.id, column, row.opens))
        within.push({ rows: () => closedRows(side), stays: false, write })
      }
    }
    list(within, row.id, column)
  }

  /** Writes branches below a row, as far as there is room. */
  const list = (all: readonly Listed[], above: RowId | null, column: number) => {
    const beyond = all.length > listed.most ? listed.beforeMore : all.length
    const key = moreKey(above)
    const isOpen = opened.has(key)
    const waiting = all.slice(beyond).filter(({ stays }) => !stays)
    for (const [at, each] of all.entries()) {
      if (at === beyond && waiting.length > 0) {
        const count = waiting.reduce((sum, { rows }) => sum + rows(), 0)
        const place = { parentId: above, column, lane: 0, goesOn: false }
        rows.push({ kind: 'more', of: 'fork', id: key, ...place, opens: [key], isOpen, count })
      }
      if (at < beyond || isOpen || each.stays) each.write()
    }
  }

  /**
   * Writes a line below its row, if it has one, message by message: all of it once it is opened, else the part being
   * read.
   */
  const open = (part: Part, parentId: RowId | null, column: number, header: BranchRow | null) => {
    const { line, from } = part
    const isWhole = !isLit(line.items[from])
    const holderId = header?.id ?? parentId
    if (header) rows.push(header)
    let named = header?.branch ?? ownerAbove(part)
    for (let at = from; at < line.items.length; at++) {
      const item = line.items[at]
      if (!item) return
      const { id, lane } = item
      const below = line.items[at + 1]
      const place = { id, parentId: holderId, column, lane, goesOn: at > from || header !== null }
      const branches = headsAt(item)
      const owner = owners.get(id) ?? null
      // the name at the end of the same row says it
      const isNamed = owner?.id === named?.id || branches.some((branch) => branch.id === owner?.id)
      const begins = isNamed ? null : owner
      named = owner ?? named
      const sides = sidesOf(line, id).map((side) => listedLine(side, id, column + 1))
      const goesOn = isWhole || isLit(below)
      const isPlain = at > from && goesOn && begins === null && sides.length === 0 && branches.length === 0
      if (!isPlain || !isToldBelow(item, below)) {
        rows.push(
          item.kind === 'fold'
            ? { kind: 'fold', item, begins, ...place }
            : { kind: 'message', item, branches, begins, ...place },
        )
      }
      list(sides, id, column + 1)
      if (goesOn || below === undefined) continue
      const next = { line, from: at + 1 }
      const row = rowFor(next, holderId, column, [])
      // the row above names it already
      const rest = {
        ...row,
        id: `rest ${keyOf(item)}`,
        goesOn: true,
        branch: header ? null : row.branch,
        isRest: header === null && row.isRest,
      }
      if (isOpened(below)) open(next, holderId, column, { ...rest, isOpen: true })
      else close(next, rest)
      return
    }
  }

  const listedLine = (part: Part, parentId: RowId | null, column: number): Listed => {
    const first = part.line.items[part.from]
    const row = rowFor(part, parentId, column, [])
    if (isLit(first)) {
      // the path being read is always open
      const header = { ...row, isOpen: true, opens: [] }
      return { rows: () => 0, stays: true, write: () => open(part, parentId, column, header) }
    }
    if (isOpened(first)) {
      return {
        rows: () => 0,
        stays: true,
        write: () => open(part, parentId, column, { ...row, isOpen: true }),
      }
    }
    return { rows: () => closedRows(part), stays: false, write: () => close(part, row) }
  }

  for (const branch of emptyBranches) rows.push(emptyRow(branch))
  const roots = tree.roots.map((line): Part => ({ line, from: 0 }))
  const [only] = roots
  // the only root has no other beside it to be told apart from
  if (roots.length === 1 && only && isLit(only.line.items[0])) open(only, null, 0, null)
  else
    list(
      roots.map((root) => listedLine(root, null, 0)),
      null,
      0,
    )
  if (archived > 0) {
    const place = { parentId: null, column: 0, lane: 0, goesOn: false }
    const isOpen = opened.has(archiveKey)
    rows.push({
      kind: 'more',
      of: 'archive',
      id: archiveKey,
      ...place,
      opens: [archiveKey],
      isOpen,
      count: archived,
    })
  }
  return placed(withoutDoubles(rows, branchId))
}

/** The keys to open so that a message shows; none where it shows already. */
export function keysTo(tree: OutlineTree, id: ItemId, lit: ReadonlySet<MessageId>): MessageId[] {
  const keys: MessageId[] = []
  for (let place = tree.placeOf(id); place; ) {
    const { line, at }: { line: OutlineLine; at: number } = place
    const start = line.items.findIndex((item) => !isOnChain(item, lit))
    const first = line.items[start]
    if (first && start <= at) keys.push(keyOf(first))
    place = line.from === null ? undefined : tree.placeOf(line.from)
  }
  return keys.reverse()
}

/**
 * True when an item is a call of tools that the answer below it tells as well: both are one row, the row of the
 * answer.
 */
const isToldBelow = (item: DrawnItem, below: DrawnItem | undefined): boolean =>
  item.kind === 'message' &&
  below?.kind === 'message' &&
  below.node.role === 'tool' &&
  isStep(item.node) &&
  isStep(below.node)

/** A line from one of its items on. */
interface Part {
  line: OutlineLine
  from: number
}

const itemsOf = ({ line, from }: Part): DrawnItem[] => line.items.slice(from)

const sizeOf = (item: DrawnItem): number => (item.kind === 'message' ? 1 : item.nodes.length)

const keyOf = (item: DrawnItem): MessageId => firstOf(item)?.id ?? item.id

const isOnChain = (item: DrawnItem, lit: ReadonlySet<MessageId>): boolean =>
  item.kind === 'message' ? lit.has(item.id) : item.nodes.some(({ id }) => lit.has(id))

/** The branch that goes on the longest in a part. */
function namedBy(part: Part, headsAt: (item: DrawnItem) => readonly GraphBranch[]): GraphBranch | null {
  const last = itemsOf(part).findLast((item) => headsAt(item).length > 0)
  const ends = last ? headsAt(last) : []
  return ends.find(({ archivedAt }) => archivedAt === null) ?? ends[0] ?? null
}

/** The row of a part, named by the branch that goes on the longest in it. */
function rowOf(
  part: Part,
  headsAt: (item: DrawnItem) => readonly GraphBranch[],
  parentId: RowId | null,
  column: number,
  opens: readonly MessageId[],
): BranchRow {
  const items = itemsOf(part)
  const [first] = items
  const branch = namedBy(part, headsAt)
  const end = items.findLast((item) => headsAt(item).length > 0) ?? items.at(-1)
  const key = first ? keyOf(first) : ''
  return {
    kind: 'branch',
    id: branch ? branchRowId(branch.id) : `line ${key}`,
    parentId,
    column,
    lane: first?.lane ?? 0,
    goesOn: false,
    branch,
    isRest: false,
    opens: [...opens, key],
    isOpen: false,
    count: items.reduce((sum, item) => sum + sizeOf(item), 0),
    first: (first && firstOf(first)) ?? null,
    last: end ? lastNodeOf(end) : null,
    merge: items.flatMap(nodesOf).findLast(({ mergeParentId }) => mergeParentId !== undefined) ?? null,
  }
}

const nodesOf = (item: DrawnItem): readonly GraphNode[] =>
  item.kind === 'message' ? [item.node] : item.nodes

const lastNodeOf = (item: DrawnItem): GraphNode | null =>
  item.kind === 'message' ? item.node : (item.nodes.at(-1) ?? null)

const emptyRow = (branch: GraphBranch): BranchRow => ({
  kind: 'branch',
  id: branchRowId(branch.id),
  parentId: null,
  column: 0,
  lane: 0,
  goesOn: false,
  branch,
  isRest: false,
  opens: [],
  isOpen: false,
  count: 0,
  first: null,
  last: null,
  merge: null,
})

/** A branch that has a row of its own bears no name at a message, unless it is the one being read. */
function withoutDoubles(rows: readonly UnplacedRow[], branchId: BranchId): UnplacedRow[] {
  const named = new Set(rows.flatMap((row) => (row.kind === 'branch' && row.branch ? [row.branch.id] : [])))
  return rows.map((row) => {
    if (row.kind !== 'message' || row.branches.length === 0) return row
    const branches = row.branches
      .filter(({ id }) => id === branchId || !named.has(id))
      .sort((a, b) => Number(b.id === branchId) - Number(a.id === branchId))
    return { ...row, branches }
  })
}

function placed(rows: readonly UnplacedRow[]): OutlineRow[] {
  const levels = new Map<RowId, number>()
  const counts = new Map<RowId | null, number>()
  const found = withRails(rows).map((row) => {
    const level = row.parentId === null ? 1 : (levels.get(row.parentId) ?? 0) + 1
    levels.set(row.id, level)
    const position = (counts.get(row.parentId) ?? 0) + 1
    counts.set(row.parentId, position)
    return { ...row, level, position, siblings: 0 }
  })
  for (const row of found) row.siblings = counts.get(row.parentId) ?? 1
  return found
}
