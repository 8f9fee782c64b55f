import {
  CornerDownRight,
  Download,
  FoldVertical,
  GitCompareArrows,
  ListChecks,
  LocateFixed,
  Maximize,
  Minus,
  Plus,
  Search,
  UnfoldVertical,
  X,
} from 'lucide-react'
import type { MessageId } from '@/lib/events'
import type { DrawnGraph, ItemId } from '@/lib/graph'
import type { Action } from './action'
import {
  backToCheckpoint,
  branchChanges,
  type OnBranch,
  type OnCheckpoint,
  switchToBranch,
} from './on-branch'
import { nextVersion, previousVersion } from './on-chat'
import { cherryPickTo, compactHere } from './on-merging'
import { branchFromHere, checkpointHere, inPast, type OnMessage, onMessage } from './on-message'
import { replayFromHere } from './on-replay'
import { shareUpToHere } from './on-sharing'
import { steerHere } from './on-steering'

/** The item that a move leads to, or null. */
type Way = (drawn: DrawnGraph, from: ItemId, headId: ItemId | null) => ItemId | null

/** An item of the graph: a message, or a folded stretch, whose `messageId` is null. */
export interface OnItem extends OnMessage {
  past: boolean
  isFold: boolean
  /** it is picked for comparing */
  isPicked: boolean
  /** there is another branch to compare with */
  compares: boolean
  /** beside which branch its own can be compared; null where both are the same */
  comparison: { with: 'current' | 'picked'; open(): void } | null
  /** it is part of a stretch that can be folded */
  canFold(): boolean
  open(id: MessageId): void
  select(id: MessageId): void
  pick(id: MessageId): void
  fold(): void
  unfold(): void
  go(way: Way): void
}

/** Actions on a message of the graph, in the order of its toolbar and its menu. */
export const itemActions: readonly Action<OnItem>[] = [
  branchFromHere,
  steerHere,
  onMessage({
    id: 'open',
    label: 'Open the message',
    named: () => 'Open',
    keys: ['Enter'],
    Icon: CornerDownRight,
    run: (on, id) => on.open(id),
  }),
  checkpointHere,
  onMessage({
    id: 'pick',
    label: 'Pick for comparing',
    named: ({ isPicked }) => (isPicked ? 'Do not compare' : 'Pick for comparing'),
    keys: ['Space'],
    Icon: ListChecks,
    when: ({ past, compares }) => (past ? inPast : compares),
    run: (on, id) => on.pick(id),
  }),
  onMessage({
    id: 'compare',
    label: 'Compare with current',
    named: ({ comparison }) =>
      comparison?.with === 'picked' ? 'Compare with the picked one' : 'Compare with current',
    Icon: GitCompareArrows,
    when: ({ comparison }) => comparison !== null,
    run: ({ comparison }) => comparison?.open(),
  }),
  cherryPickTo,
  compactHere,
  replayFromHere,
  shareUpToHere,
  onMessage({
    id: 'fold',
    label: 'Fold this stretch',
    keys: ['f'],
    Icon: FoldVertical,
    when: (on) => on.canFold() || 'There is no long stretch here',
    run: (on) => on.fold(),
  }),
]

export const unfold: Action<OnItem> = {
  id: 'unfold',
  label: 'Show folded messages',
  named: () => 'Show these messages',
  keys: ['Enter', 'Space', 'f'],
  Icon: UnfoldVertical,
  when: ({ isFold }) => isFold,
  run: (on) => on.unfold(),
}

/** A move in the tree. */
interface Move extends Action<OnItem> {
  keys: readonly string[]
  way: Way
}

const move = (id: string, label: string, keys: readonly string[], way: Way): Move => ({
  id,
  label,
  keys,
  way,
  run: (on) => on.go(way),
})

const version =
  (step: 1 | -1): Way =>
  ({ byId, rootIds }, from) => {
    const parentId = byId.get(from)?.parentId
    if (parentId === undefined) return null
    const versions = parentId === null ? rootIds : (byId.get(parentId)?.childIds ?? [])
    return versions[versions.indexOf(from) + step] ?? null
  }

/** The moves in the tree, in which time runs right. */
export const treeMoves: readonly Move[] = [
  move('above', 'To the message above', ['ArrowLeft'], ({ byId }, from) => byId.get(from)?.parentId ?? null),
  move('below', 'To the reply', ['ArrowRight'], ({ byId }, from) => byId.get(from)?.childIds[0] ?? null),
  move('previous in graph', previousVersion.label, ['ArrowUp', '['], version(-1)),
  move('next in graph', nextVersion.label, ['ArrowDown', ']'], version(1)),
  move('first', 'To the first message', ['Home'], ({ byId, rootIds }, from) => {
    let at = byId.get(from)
    for (let above = at; above; above = above.parentId === null ? undefined : byId.get(above.parentId))
      at = above
    return at?.id ?? rootIds[0] ?? null
  }),
  move('head', 'To where you are', ['End'], ({ byId }, _from, headId) =>
    headId !== null && byId.has(headId) ? headId : null,
  ),
]

/** Space selects where nothing can be compared. */
export const selectItem = onMessage<OnItem>({
  id: 'select',
  label: 'Select the message',
  keys: ['Space'],
  when: ({ past, compares }) => !past && !compares,
  run: (on, id) => on.select(id),
})

/** The drawing as a whole. */
interface OnCanvas {
  folding: 'folded' | 'foldable' | 'none'
  /** something is selected, or picked for comparing */
  canLeave: boolean
  /** it can be made larger and smaller */
  zooms: boolean
  zoomBy(factor: number): void
  fit(): void
  showHead(): void
  toggleFolds(): void
  find(): void
  leave(): void
  save(kind: 'svg' | 'png'): void
}

export const zoomOut: Action<OnCanvas> = {
  id: 'zoom out',
  label: 'Zoom out',
  keys: ['-'],
  Icon: Minus,
  when: ({ zooms }) => zooms,
  run: (on) => on.zoomBy(0.8),
}

export const zoomIn: Action<OnCanvas> = {
  id: 'zoom in',
  label: 'Zoom in',
  keys: ['+', '='],
  Icon: Plus,
  when: ({ zooms }) => zooms,
  run: (on) => on.zoomBy(1.25),
}

export const fit: Action<OnCanvas> = {
  id: 'fit',
  label: 'Fit graph',
  keys: ['0'],
  Icon: Maximize,
  when: ({ zooms }) => zooms,
  run: (on) => on.fit(),
}

const foldAll: Action<OnCanvas> = {
  id: 'fold all',
  label: 'Fold long stretches',
  named: ({ folding }) => (folding === 'folded' ? 'Show every message' : 'Fold long stretches'),
  iconOn: ({ folding }) => (folding === 'folded' ? UnfoldVertical : FoldVertical),
  when: ({ folding }) => folding !== 'none',
  run: (on) => on.toggleFolds(),
}

export const findInGraph: Action<OnCanvas> = {
  id: 'find',
  label: 'Find in graph',
  keys: ['/'],
  Icon: Search,
  run: (on) => on.find(),
}

/** The actions on the view, in the order of their buttons. */
export const viewActions: readonly Action<OnCanvas>[] = [
  fit,
  {
    id: 'show head',
    label: 'Go to where you are',
    words: 'head',
    Icon: LocateFixed,
    run: (on) => on.showHead(),
  },
  foldAll,
  findInGraph,
]

/** The drawing as a file. */
export const saveActions: readonly Action<OnCanvas>[] = (['svg', 'png'] as const).map((kind) => ({
  id: `save ${kind}`,
  label: `Save as ${kind.toUpperCase()}`,
  Icon: Download,
  run: (on) => on.save(kind),
}))

/** The menu of the empty canvas. */
export const canvasActions = [fit, foldAll]

const leaveSelection: Action<OnCanvas> = {
  id: 'leave',
  label: 'Clear the selection',
  keys: ['Escape'],
  when: ({ canLeave }) => canLeave,
  run: (on) => on.leave(),
}

export type OnGraph = OnItem & OnBranch & OnCheckpoint & OnCanvas

/** A folded stretch has neither branch nor checkpoint. */
const ofMessage = (action: Action<OnGraph>): Action<OnGraph> =>
  onMessage({ ...action, run: (on, _id, from) => action.run(on, from) })

/** The actions that keys do on the focused item. When two have the same key, the first that applies wins. */
export const itemKeys: readonly Action<OnGraph>[] = [
  ...treeMoves,
  unfold,
  ...itemActions,
  selectItem,
  ofMessage(backToCheckpoint),
  ...branchChanges.map(ofMessage),
  zoomIn,
  zoomOut,
  fit,
  leaveSelection,
]

/** A row of the outline. */
interface OnRow {
  /** true when what it stands for is shown; null for a message, and for a branch without one */
  isOpen: boolean | null
  setOpen(isOpen: boolean): void
  /** the row a way leads to gets the focus; false where there is none */
  hasRow(way: RowWay): boolean
  goToRow(way: RowWay): void
}

type RowWay = 'above' | 'below' | 'within' | 'around'

const rowMove = (label: string, way: RowWay, key: string): Action<OnRow> => ({
  id: `row ${way}`,
  label,
  keys: [key],
  when: (on) => on.hasRow(way),
  run: (on) => on.goToRow(way),
})

/** The keys of the outline; they come before the keys of the item in the row. */
export const rowKeys: readonly Action<OnRow>[] = [
  rowMove('To the row above', 'above', 'ArrowUp'),
  rowMove('To the row below', 'below', 'ArrowDown'),
  {
    id: 'open row',
    label: 'Show the messages of a branch',
    keys: ['ArrowRight', 'Space'],
    when: ({ isOpen }) => isOpen === false,
    run: (on) => on.setOpen(true),
  },
  {
    id: 'close row',
    label: 'Hide the messages of a branch',
    keys: ['ArrowLeft', 'Space'],
    when: ({ isOpen }) => isOpen === true,
    run: (on) => on.setOpen(false),
  },
  rowMove('To the first message of a branch', 'within', 'ArrowRight'),
  rowMove('To where a branch begins', 'around', 'ArrowLeft'),
]

/** The keys of a branch's row, after {@link rowKeys}. */
export const branchRowKeys: readonly Action<OnGraph>[] = [
  { ...switchToBranch, keys: ['Enter'] },
  ...branchChanges,
  ...itemActions,
  leaveSelection,
]

/** The history below the graph. */
interface OnTime {
  isOpen: boolean
  /** the graph is shown as it was */
  isPast: boolean
  toNow(): void
  leave(): void
}

export const returnToNow: Action<OnTime> = {
  id: 'now',
  label: 'Return to now',
  when: ({ isPast }) => isPast,
  run: (on) => on.toNow(),
}

export const closeHistory: Action<OnTime> = {
  id: 'close history',
  label: 'Close history',
  keys: ['Escape'],
  Icon: X,
  when: ({ isOpen }) => isOpen,
  run: (on) => on.leave(),
}
