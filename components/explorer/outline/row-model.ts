import type { Node } from '@xyflow/react'
import type { CSSProperties } from 'react'
import { labelOf } from '@/components/actions/action'
import { switchToBranch } from '@/components/actions/on-branch'
import { plainPreview } from '@/components/app/plain-preview'
import {
  branchTitle,
  type GraphIndex,
  labelMark,
  labelTitle,
  type OutlineRow,
  type RowId,
  replayMark,
  steeringMark,
} from '@/lib/graph'
import type { GraphCheckpoint } from '@/lib/protocol'
import type { TitledChip } from '../labels/label-groups'
import { type GraphModel, isLit } from '../model/graph-model'
import { cardName, descriptionOf, foldWords, heldWords, messageCount, statusWords } from '../model/words'
import { draggedBy } from './row-drag'

/** How high a row is: for a mouse, and for a thumb. */
export const rowHeights = { fine: 28, coarse: 44 }

/** Room below the last row, in px: it can be read clear of what floats there. */
export const bottomRoom = 40
/** How far down the head is when the outline opens, as a share of the height. */
export const headAt = 0.66

/** How far the outline is scrolled when it opens: the head being read is in view, with what led to it above. */
export const openingTop = (rows: number, headAtRow: number, rowHeight: number, height: number): number =>
  Math.max(0, Math.min((headAtRow + 1) * rowHeight - height * headAt, rows * rowHeight + bottomRoom - height))

/** From a lane of the gutter to the next, and how many there are at most: the text keeps its room. */
const laneStep = 14
const mostLanes = 8
/** The middle of a lane of the gutter. */
export const laneX = (column: number): number => 15 + laneStep * Math.min(column, mostLanes)

/** What a row shows. A row that shows the same is not drawn again. */
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
  /** the words a branch is shown by */
  title: string
  /** what a button in the row is called */
  buttonName: string
  /** the branches whose names stand at the end of a message's row */
  heads: readonly TitledChip[]
  checkpoints: readonly GraphCheckpoint[]
  /** how far the replay on a branch has come */
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
export function rowLook(row: OutlineRow, model: GraphModel, standing: RowStanding, height: number): RowLook {
  const { index, visible, headId, branchId, past } = model
  const labels = row.kind === 'message' ? visible.labels.get(row.id) : undefined
  const marked = standing.marked.includes(row.id)
  const contextChanged = row.kind === 'message' && index.changesContext(row.id)
  const asks =
    row.kind === 'message'
      ? index.asksAt(row.id)
      : row.kind === 'branch' && row.branch !== null && index.waits(row.branch)
  const words = wordsOf(row, index)
  const replay = row.kind === 'branch' && row.branch && !past ? replayMark(index.graph, row.branch.id) : null
  const steering =
    row.kind === 'branch' && row.branch && !past ? steeringMark(index.graph, row.branch.id) : null
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
    description:
      row.kind === 'branch'
        ? branchDescription(row, replay, steering, asks)
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
    ...{ replay, steering, past },
    draggable: height === rowHeights.fine && draggedBy(row, model, []) !== null,
  }
}

/** For a screen reader: what else a branch's row shows. */
function branchDescription(
  { count, last, branch }: Extract<OutlineRow, { kind: 'branch' }>,
  replay: string | null,
  steering: string | null,
  asks: boolean,
): string | undefined {
  const said = [
    asks && heldWords.question.toLowerCase(),
    replay && `replaying ${replay}`,
    steering && 'an agent goes on here with its next call',
    count > 0 && messageCount(count),
    last && (plainPreview(last.preview) || statusWords[last.status]),
    branch?.archivedAt != null && 'archived',
  ]
  return said.filter(Boolean).join(', ') || undefined
}

function wordsOf(row: OutlineRow, index: GraphIndex): Pick<RowLook, 'name' | 'title' | 'buttonName'> {
  switch (row.kind) {
    case 'message': {
      const name = cardName(row.item.node)
      return { name, buttonName: name, title: '' }
    }
    case 'fold': {
      const count = foldWords(row.item.nodes)
      return { name: `${count}, folded`, buttonName: `Show ${count}`, title: count }
    }
    case 'branch': {
      const { branch } = row
      if (!branch) {
        const count = messageCount(row.count)
        return { name: count, buttonName: `Show ${count}`, title: count }
      }
      const title = branchTitle(index, branch.id)
      const on = { branch, title, isHere: false, switchTo: () => undefined }
      return { name: title, title, buttonName: labelOf(switchToBranch, on) }
    }
    case 'more': {
      const title = `${row.count} more ${row.count === 1 ? 'branch' : 'branches'}`
      return { name: title, buttonName: `Show ${title}`, title }
    }
  }
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

/** Whether two values are made of the same parts. */
function isAlike(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => isAlike(Reflect.get(a, key), Reflect.get(b, key)))
  )
}
