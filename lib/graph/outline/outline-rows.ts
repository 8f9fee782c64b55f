import type { BranchId, MessageId } from '@/lib/events'
import type { GraphBranch, GraphNode } from '@/lib/protocol'
import { type DrawnFold, type DrawnItem, type DrawnMessage, firstOf, type ItemId } from '../drawn-graph'
import { isStep } from '../fold-stretches'
import type { VisibleGraph } from '../visible-graph'
import { type Rails, withRails } from './outline-rails'
import type { OutlineLine, OutlineTree } from './outline-tree'

/** The id of a row: a message's, a fold's, or one that `branchRowId` and its like make. */
export type RowId = string

interface Row {
  id: RowId
  /** the row it hangs from in the tree */
  parentId: RowId | null
  /** how far it is moved to the right, in lanes of the gutter */
  column: number
  lane: number
  /** it goes on from the row above in its column; else its line leaves the column to its left */
  goesOn: boolean
}

interface MessageRow extends Row {
  kind: 'message'
  item: DrawnMessage
  /** the branches whose names stand at its end: those without a row */
  branches: readonly GraphBranch[]
}

interface FoldRow extends Row {
  kind: 'fold'
  item: DrawnFold
}

/** A branch in one row, and what opens it. */
interface BranchRow extends Row {
  kind: 'branch'
  /** null where no branch leads to these messages */
  branch: GraphBranch | null
  /** what has to be opened to see its messages; empty where it has none */
  opens: readonly MessageId[]
  isOpen: boolean
  /** how many messages it has below its fork */
  count: number
  /** the messages it begins and ends with */
  first: GraphNode | null
  last: GraphNode | null
}

/** Branches there is no room for. */
interface MoreRow extends Row {
  kind: 'more'
  opens: readonly string[]
  isOpen: boolean
  count: number
}

type UnplacedRow = MessageRow | FoldRow | BranchRow | MoreRow

/** A row of the outline, with the lines of its gutter and its place in the tree. */
export type OutlineRow = UnplacedRow & {
  rails: Rails
  /** from 1 */
  level: number
  /** its place among the rows that hang from the same one, from 1, and how many there are */
  position: number
  siblings: number
}

export interface OutlineOptions {
  /** the chain being read */
  lit: ReadonlySet<MessageId>
  branchId: BranchId
  /** what the reader has opened: lines by their first message, and more branches by the fork */
  opened: ReadonlySet<string>
}

const branchRowId = (id: BranchId): RowId => `branch ${id}`
const moreKey = (forkId: ItemId | null): string => `more ${forkId ?? ''}`

/** So many branches are listed at a fork; where there are more, the rest waits behind one row. */
const listed = { most: 6, beforeMore: 4 }

/**
 * The rows of an outline: the chain being read and what the reader has opened, message by message; every other branch as
 * one row at its fork. The order is that of the tree, whatever is read or open. Linear in the rows and what they count.
 */
export function outlineRows(
  tree: OutlineTree,
  { labels, emptyBranches }: Pick<VisibleGraph, 'labels' | 'emptyBranches'>,
  { lit, branchId, opened }: OutlineOptions,
): OutlineRow[] {
  const rows: UnplacedRow[] = []
  const headsAt = (item: DrawnItem): readonly GraphBranch[] => {
    const at = item.kind === 'message' ? labels.get(item.id) : undefined
    return at ? [...at.branches, ...at.waiting] : []
  }
  const isLit = (item: DrawnItem | undefined): boolean => item !== undefined && isOnChain(item, lit)
  const isOpened = (item: DrawnItem | undefined): boolean => item !== undefined && opened.has(keyOf(item))

  /** The row of what a line holds from one of its items on, and the branches that end or fork there. */
  const closed = (
    part: Part,
    parentId: RowId | null,
    column: number,
    opens: readonly MessageId[],
  ): BranchRow[] => {
    const row = rowOf(part, headsAt, parentId, column, opens)
    const found = [row]
    let count = 0
    for (const item of itemsOf(part)) {
      count += sizeOf(item)
      for (const branch of headsAt(item)) {
        if (branch.id === row.branch?.id) continue
        const last = item.kind === 'message' ? item.node : null
        const place = { id: branchRowId(branch.id), parentId: row.id, column: column + 1, lane: item.lane }
        found.push({ ...row, ...place, branch, count, last })
      }
      for (const side of part.line.sides.get(item.id) ?? [])
        found.push(...closed({ line: side, from: 0 }, row.id, column + 1, row.opens))
    }
    return found
  }

  /** Lists closed branches at a fork, as far as there is room. */
  const list = (found: BranchRow[], forkId: ItemId | null) => {
    const all = found.splice(0)
    const [first] = all
    // what hangs from a row stays below it
    const cut = all.findIndex((row, at) => at >= listed.beforeMore && row.column === first?.column)
    const next = all.length > listed.most ? all[cut] : undefined
    rows.push(...(next ? all.slice(0, cut) : all))
    if (!next) return
    const rest = all.slice(cut)
    const key = moreKey(forkId)
    const isOpen = opened.has(key)
    const { column, lane, goesOn } = next
    const place = { parentId: forkId, column, lane, goesOn }
    rows.push({ kind: 'more', id: `${key} ${next.id}`, ...place, opens: [key], isOpen, count: rest.length })
    if (isOpen) rows.push(...rest)
  }

  const open = (part: Part, parentId: RowId | null, column: number) => {
    const header: BranchRow = { ...rowOf(part, headsAt, parentId, column, []), isOpen: true }
    rows.push(header)
    write(part, header.id, column, header)
  }

  /** Writes a line message by message, as far as it is read or opened. */
  const write = ({ line, from }: Part, parentId: RowId | null, column: number, header?: BranchRow) => {
    for (let at = from; at < line.items.length; at++) {
      const item = line.items[at]
      if (!item) return
      const { id, lane } = item
      const place = { id, parentId, column, lane, goesOn: at > from || header !== undefined }
      const branches = headsAt(item)
      const goesOn = header !== undefined || isLit(line.items[at + 1])
      const parts: Part[] = (line.sides.get(id) ?? []).map((side) => ({ line: side, from: 0 }))
      const isPlain = at > from && goesOn && parts.length === 0 && branches.length === 0
      if (!isPlain || !isToldBelow(item, line.items[at + 1])) {
        rows.push(
          item.kind === 'fold'
            ? { kind: 'fold', item, ...place }
            : { kind: 'message', item, branches, ...place },
        )
      }
      if (!goesOn && at + 1 < line.items.length) parts.push({ line, from: at + 1 })
      fork(parts, id, column + 1)
      if (!goesOn) return
    }
  }

  /** Writes what leaves the chain at a fork. */
  const fork = (parts: readonly Part[], forkId: ItemId | null, column: number) => {
    const found: BranchRow[] = []
    for (const part of parts) {
      const first = part.line.items[part.from]
      if (!isLit(first) && !isOpened(first)) {
        found.push(...closed(part, forkId, column, []))
        continue
      }
      list(found, forkId)
      if (isLit(first)) write(part, forkId, column)
      else open(part, forkId, column)
    }
    list(found, forkId)
  }

  for (const branch of emptyBranches) rows.push(emptyRow(branch))
  fork(
    tree.roots.map((line) => ({ line, from: 0 })),
    null,
    0,
  )
  return placed(withoutDoubles(rows, branchId))
}

/** What has to be opened to see a message; nothing where it is seen already. */
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

/** Whether an item is a call of tools that the answer below it tells as well: both are one row, that of the answer. */
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
  const heads = items.findLast((item) => headsAt(item).length > 0)
  const ends = heads ? headsAt(heads) : []
  const branch = ends.find(({ archivedAt }) => archivedAt === null) ?? ends[0] ?? null
  const end = heads ?? items.at(-1)
  const key = first ? keyOf(first) : ''
  return {
    kind: 'branch',
    id: branch ? branchRowId(branch.id) : `line ${key}`,
    parentId,
    column,
    lane: first?.lane ?? 0,
    goesOn: false,
    branch,
    opens: [...opens, key],
    isOpen: false,
    count: items.reduce((sum, item) => sum + sizeOf(item), 0),
    first: (first && firstOf(first)) ?? null,
    last: end ? lastNodeOf(end) : null,
  }
}

const lastNodeOf = (item: DrawnItem): GraphNode | null =>
  item.kind === 'message' ? item.node : (item.nodes.at(-1) ?? null)

const emptyRow = (branch: GraphBranch): BranchRow => ({
  kind: 'branch',
  id: branchRowId(branch.id),
  ...{ parentId: null, column: 0, lane: 0, goesOn: false },
  ...{ branch, opens: [], isOpen: false, count: 0, first: null, last: null },
})

/** A branch that has a row of its own bears no name at a message. */
function withoutDoubles(rows: readonly UnplacedRow[], branchId: BranchId): UnplacedRow[] {
  const named = new Set(rows.flatMap((row) => (row.kind === 'branch' && row.branch ? [row.branch.id] : [])))
  return rows.map((row) => {
    if (row.kind !== 'message' || row.branches.length === 0) return row
    const branches = row.branches
      .filter(({ id }) => !named.has(id))
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
