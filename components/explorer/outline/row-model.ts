import type { Node } from '@xyflow/react'
import type { CSSProperties } from 'react'
import { labelOf } from '@/components/actions/action'
import { switchToBranch } from '@/components/actions/on-branch'
import { plainPreview } from '@/components/app/plain-preview'
import { dayWords } from '@/components/app/time-words'
import {
  branchTitle,
  firstOf,
  foldedSteps,
  type GraphIndex,
  labelMark,
  labelTitle,
  type OutlineRow,
  type RowId,
  replayMark,
  steeringMark,
} from '@/lib/graph'
import type { GraphCheckpoint, GraphNode } from '@/lib/protocol'
import type { TitledChip } from '../labels/label-groups'
import { type GraphModel, isLit } from '../model/graph-model'
import { cardName, descriptionOf, heldWords, messageCount, originWords, statusWords } from '../model/words'
import { draggedBy } from './row-drag'

/** Height of a row: for a mouse, and for a thumb. */
export const rowHeights = { fine: 28, coarse: 44 }

/** Room below the last row, in px: floating bars do not cover it. */
export const bottomRoom = 40
/**
 * Number of rows that fill a pane of a height. They are counted in sixes: panes of nearly the same height have the
 * same rows, and the server draws the same ones before it knows the height of the pane.
 */
export const roomFor = (height: number, rowHeight: number): number =>
  2 + 6 * Math.max(1, Math.floor(((height - bottomRoom) / rowHeight - 2) / 6))
/** The rows of a pane in a window that is 860 to 1000 px high. */
export const usualRoom = 26

/** Place of the head when the outline opens, as a share of the height. */
export const headAt = 0.66

/**
 * Scroll position of the outline when it opens: the head being read is in view, with the rows that led to it above.
 */
export const openingTop = (rows: number, headAtRow: number, rowHeight: number, height: number): number =>
  Math.max(0, Math.min((headAtRow + 1) * rowHeight - height * headAt, rows * rowHeight + bottomRoom - height))

/** From a lane of the gutter to the next, and how many there are at most: the text keeps its room. */
const laneStep = 14
const mostLanes = 6
/** The middle of a lane of the gutter. */
export const laneX = (column: number): number => 15 + laneStep * Math.min(column, mostLanes)

/** Everything that a row shows. A row with an equal look is not drawn again. */
export interface RowLook {
  row: OutlineRow
  height: number
  lit: boolean
  /** it is the head being read */
  head: boolean
  selected: boolean
  marked: boolean
  /** it is a message in another context than the one before it */
  contextChanged: boolean
  /** a tool waits in it, or where its branch ends, for a person */
  asks: boolean
  /** it holds the words that are looked for */
  found: boolean
  /** the item that Tab reaches */
  tab: boolean
  /** the branch being read: its name is marked as here */
  hereId: string
  name: string
  description: string | undefined
  /** the words a branch is shown by, or of a stretch the question it begins with */
  title: string
  /** the day of a row that begins another day than the one before it; null for most */
  day: string | null
  /** says which branch has its own messages from this row on; null for most */
  begins: string | null
  buttonName: string
  /** the branches whose names stand at the end of a message's row */
  heads: readonly TitledChip[]
  checkpoints: readonly GraphCheckpoint[]
  /** the branch whose messages it took, in words; null for most */
  origin: string | null
  /** the progress of the replay on a branch */
  replay: string | null
  /** an agent goes on with the branch */
  steering: string | null
  past: boolean
  draggable: boolean
}

export interface RowStanding {
  tabId: RowId | null
  selectedId: RowId | null
  marked: readonly RowId[]
  found: ReadonlySet<string> | null
}

/** The looks of a row. */
export function rowLook(
  row: OutlineRow,
  model: GraphModel,
  standing: RowStanding,
  height: number,
  day: string | null = null,
): RowLook {
  const { index, visible, headId, branchId, past } = model
  const labels = row.kind === 'message' ? visible.labels.get(row.id) : undefined
  const marked = standing.marked.includes(row.id)
  const contextChanged = row.kind === 'message' && index.changesContext(row.id)
  const asks =
    row.kind === 'message'
      ? index.asksAt(row.id)
      : row.kind === 'branch' && row.branch !== null && index.waits(row.branch)
  const words = wordsOf(row, index, day)
  const replay = row.kind === 'branch' && row.branch && !past ? replayMark(index.graph, row.branch.id) : null
  const steering =
    row.kind === 'branch' && row.branch && !past ? steeringMark(index.graph, row.branch.id) : null
  const bearer =
    row.kind === 'message' ? row.item.node : row.kind === 'branch' && !row.isOpen ? row.merge : null
  const origin = bearer && originWords(index, bearer)
  return {
    row,
    height,
    lit: row.kind === 'message' || row.kind === 'fold' ? isLit(model, row.item) : false,
    head: headId !== null && row.id === headId,
    selected: standing.selectedId === row.id,
    marked,
    contextChanged,
    asks,
    found: row.kind === 'message' && (standing.found?.has(row.id) ?? false),
    tab: standing.tabId === row.id,
    hereId: branchId,
    ...words,
    day,
    description:
      row.kind === 'branch'
        ? branchDescription(row, { replay, steering, asks, origin })
        : descriptionOf(
            index,
            labels,
            marked,
            contextChanged,
            row.kind === 'message' ? row.item.node : undefined,
          ),
    heads:
      row.kind === 'message'
        ? row.branches.map((branch) => ({
            branch,
            title: labelTitle(index, branch.id),
            mark: labelMark(index, branch.id),
          }))
        : [],
    checkpoints: labels?.checkpoints ?? [],
    origin,
    replay,
    steering,
    past,
    draggable: height === rowHeights.fine && draggedBy(row, model, []) !== null,
  }
}

/** The words after the title of a branch: it leaves the line of its first messages, or begins where another one ends. */
export function startWords({
  branch,
  goesOn,
  isRest,
}: Extract<OutlineRow, { kind: 'branch' }>): string | null {
  if (isRest) return 'goes on'
  return goesOn && branch ? 'begins' : null
}

/** Further contents of a branch's row, for a screen reader. */
function branchDescription(
  row: Extract<OutlineRow, { kind: 'branch' }>,
  { replay, steering, asks, origin }: Pick<RowLook, 'replay' | 'steering' | 'asks' | 'origin'>,
): string | undefined {
  const { count, last, branch } = row
  const said = [
    asks && heldWords.question.toLowerCase(),
    replay && `replaying ${replay}`,
    steering && 'an agent goes on here with its next call',
    startWords(row),
    count > 0 && messageCount(count),
    origin,
    last && (plainPreview(last.preview) || statusWords[last.status]),
    branch?.archivedAt != null && 'archived',
  ]
  return said.filter(Boolean).join(', ') || undefined
}

const joined = (...said: (string | null)[]): string => said.filter(Boolean).join(', ')

function wordsOf(
  row: OutlineRow,
  index: GraphIndex,
  day: string | null,
): Pick<RowLook, 'name' | 'title' | 'buttonName' | 'begins'> {
  const own = 'begins' in row && row.begins
  const begins = own ? `${branchTitle(index, own.id)} begins` : null
  switch (row.kind) {
    case 'message': {
      const name = joined(cardName(row.item.node), day, begins)
      return { name, buttonName: name, title: '', begins }
    }
    case 'fold': {
      const { nodes } = row.item
      const steps = foldedSteps(nodes)
      const count = steps ?? messageCount(nodes.length)
      const question = nodes.find(({ role }) => role === 'user') ?? nodes[0]
      const title = steps ?? (plainPreview(question?.preview ?? '') || '…')
      const about = foldAbout(nodes, day)
      return {
        name: joined(title, about, begins, 'folded'),
        buttonName: `Show ${count}`,
        title,
        begins,
      }
    }
    case 'branch': {
      const { branch } = row
      if (!branch) {
        const count = `${row.count} more ${row.count === 1 ? 'message' : 'messages'}`
        return { name: count, buttonName: `Show ${count}`, title: count, begins }
      }
      const title = branchTitle(index, branch.id)
      const on = { branch, title, isHere: false, switchTo: () => undefined }
      return { name: title, title, buttonName: labelOf(switchToBranch, on), begins }
    }
    case 'more': {
      const which = row.of === 'archive' ? 'archived' : 'more'
      const title = `${row.count} ${which} ${row.count === 1 ? 'branch' : 'branches'}`
      return { name: title, buttonName: `Show ${title}`, title, begins }
    }
  }
}

/** The day of a row, where its line goes on another day than the row before it in that line begins; null elsewhere. */
export function dayOf(rows: readonly OutlineRow[], at: number, now: Date): string | null {
  const row = rows[at]
  const begins = (each: OutlineRow | undefined): number | undefined =>
    each?.kind === 'message' || each?.kind === 'fold' ? firstOf(each.item)?.createdAt : undefined
  const time = begins(row)
  if (row === undefined || time === undefined) return null
  let before = at - 1
  while (before >= 0 && (rows[before]?.column ?? 0) > row.column) before--
  const earlier = begins(rows[before])
  if (earlier === undefined || new Date(earlier).toDateString() === new Date(time).toDateString()) return null
  return dayWords(time, now)
}

export type RowFlowNode = Node<RowLook & Record<string, unknown>, 'row'>

/** Rows for React Flow, with measures: it draws at once and measures nothing. Those in `known` that show the same are kept. */
export function rowNodes(
  looks: readonly { at: number; look: RowLook }[],
  known: Map<RowId, RowFlowNode>,
): RowFlowNode[] {
  const nodes = looks.map(({ at, look }) => {
    const { row, height } = look
    const before = known.get(row.id)
    const y = at * height
    if (before && before.position.y === y && isAlike(before.data, look)) return before
    return {
      id: row.id,
      type: 'row' as const,
      position: { x: 0, y },
      measured: { width: 1, height },
      height,
      handles: [],
      style: { width: '100%', pointerEvents: 'none' } as CSSProperties,
      // the row inside is the tree item; the box around it has no role
      domAttributes: { 'aria-roledescription': undefined, 'aria-describedby': undefined },
      data: { ...look },
    }
  })
  known.clear()
  for (const node of nodes) known.set(node.id, node)
  return nodes
}

/** True when two values are made of the same parts. */
function isAlike(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => isAlike(Reflect.get(a, key), Reflect.get(b, key)))
  )
}

/** The words after the title of a fold: its day, and its number of messages where the title does not say it. */
export const foldAbout = (nodes: readonly GraphNode[], day: string | null): string =>
  [day, foldedSteps(nodes) === null ? messageCount(nodes.length) : null].filter(Boolean).join(' · ')
