import { type Cell, firstOf, type ItemId, labelMark, labelTitle, type NodeLabels } from '@/lib/graph'
import type { GraphBranch, GraphCheckpoint } from '@/lib/protocol'
import type { GraphModel } from '../model/graph-model'
import type { ChipText } from './chip-size'

/** The labels of one message, each as it is shown. */
export interface LabelGroup {
  id: ItemId
  cell: Cell
  lane: number
  /** nothing follows the message */
  ends: boolean
  branches: readonly BranchChip[]
  flags: readonly GraphCheckpoint[]
  /** what is only counted */
  more: { branches: readonly TitledChip[]; flags: readonly GraphCheckpoint[] }
  chips: readonly ChipText[]
}

/** A branch with the words it is shown by. */
export interface TitledChip {
  branch: GraphBranch
  title: string
  /** what goes on there; it is in the title */
  mark: string | null
}

interface BranchChip extends TitledChip {
  isHere: boolean
  /** it holds nothing of its own yet */
  waits: boolean
}

/** The group of the branches that hold no message: above the first one. */
export const emptyGroupId = 'empty branches'
/** More branches that wait behind a message than this are counted. */
const waitingNamed = 2

/** What stands on a branch's label. */
export const branchWords = ({
  title,
  mark,
  isHere,
}: Pick<BranchChip, 'title' | 'mark' | 'isHere'>): string =>
  isHere ? `${mark === null ? '' : `${mark} · `}● here` : title

/**
 * The labels of all messages in the drawing, those with the first claim to their place first: the branch being read,
 * ends of branches, checkpoints; of the like the latest.
 */
export function labelGroups(model: GraphModel): LabelGroup[] {
  const { visible, placement, drawn, headId } = model
  const groups: { group: LabelGroup; rank: number; at: number }[] = []
  for (const [id, labels] of visible.labels) {
    const cell = placement.cells.get(id)
    const item = drawn.byId.get(id)
    if (!cell || !item) continue
    const ends = item.childIds.length === 0
    const group = groupOf(model, { id, cell, lane: item.lane, ends }, labels)
    const rank = id === headId ? 0 : ends ? 1 : 2
    groups.push({ group, rank, at: firstOf(item)?.createdAt ?? 0 })
  }
  groups.sort((a, b) => a.rank - b.rank || b.at - a.at)
  const found = groups.map(({ group }) => group)
  if (visible.emptyBranches.length === 0) return found
  const stands = { id: emptyGroupId, cell: { column: 0, row: 0 }, lane: 0, ends: false }
  return [
    groupOf(model, stands, { branches: [...visible.emptyBranches], waiting: [], checkpoints: [] }),
    ...found,
  ]
}

function groupOf(
  { index, branchId }: GraphModel,
  stands: Pick<LabelGroup, 'id' | 'cell' | 'lane' | 'ends'>,
  labels: NodeLabels,
): LabelGroup {
  const chipOf = (branch: GraphBranch, waits: boolean): BranchChip => ({
    branch,
    title: labelTitle(index, branch.id),
    mark: labelMark(index, branch.id),
    isHere: branch.id === branchId,
    waits,
  })
  const branches = [
    ...labels.branches.map((branch) => chipOf(branch, false)),
    ...labels.waiting.slice(0, waitingNamed).map((branch) => chipOf(branch, true)),
  ].sort((a, b) => Number(b.isHere) - Number(a.isHere))
  const flagged = flagsShown(
    labels,
    branches.some(({ isHere }) => isHere),
  )
  const flags = labels.checkpoints.slice(0, flagged)
  const more = {
    branches: labels.waiting.slice(waitingNamed).map((branch) => chipOf(branch, true)),
    flags: labels.checkpoints.slice(flagged),
  }
  const chips = [
    ...branches.map((chip) => ({ words: branchWords(chip), icon: !chip.isHere })),
    ...flags.map(({ name }) => ({ words: name, icon: true })),
    ...(more.flags.length > 0 ? [{ words: `+${more.flags.length}`, icon: false }] : []),
    ...(more.branches.length > 0 ? [{ words: `+${more.branches.length}`, icon: true }] : []),
  ]
  return { ...stands, branches, flags, more, chips }
}

/** How many checkpoints of a message have a flag; the others are counted, beside the branch being read all but one. */
const flagsShown = ({ checkpoints }: NodeLabels, isHere: boolean): number =>
  checkpoints.length <= 2 || !isHere ? 2 : 1
