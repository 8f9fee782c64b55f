import { chosenName } from '@/lib/events/branch-name'
import {
  type DrawnItem,
  labelMark,
  labelTitle,
  type MapChips,
  type MapTitle,
  type NodeLabels,
  type Place,
  textWidth,
} from '@/lib/graph'
import type { GraphBranch, GraphCheckpoint } from '@/lib/protocol'
import { type GraphModel, isLit } from '../model/graph-model'

/** A branch with the words it is shown by. */
export interface TitledChip {
  branch: GraphBranch
  title: string
  /** a word on the work that goes on there; it is in the title */
  mark: string | null
}

export interface BranchChip extends TitledChip {
  isHere: boolean
  /** it holds nothing of its own yet */
  waits: boolean
  /** its title stands at the beginning of its line */
  titled: boolean
}

/** The title of a branch, for the beginning of its line. */
export interface LineTitle extends MapTitle {
  chip: BranchChip
  lane: number
}

/** The labels of one message. */
export interface LabelGroup extends MapChips {
  lane: number
  branches: readonly BranchChip[]
  flags: readonly GraphCheckpoint[]
  /** branches and checkpoints that are only counted */
  more: { branches: readonly TitledChip[]; flags: readonly GraphCheckpoint[] }
}

/** The group of the branches that hold no message: above the first one. */
export const emptyGroupId = 'empty branches'
/** More branches that wait behind a message than this are counted. */
const waitingNamed = 2

/** The words on a branch's label. */
export const branchWords = ({
  title,
  mark,
  isHere,
}: Pick<BranchChip, 'title' | 'mark' | 'isHere'>): string =>
  isHere ? `${mark === null ? '' : `${mark} · `}● here` : title

/** All labels of a map: titles of lines, and labels of single messages, the latest first. */
export function labelsOf(model: GraphModel): { titles: LineTitle[]; groups: LabelGroup[] } {
  const { visible, drawn, map, headId } = model
  const titles = lineTitles(model)
  const titled = new Set(titles.map(({ id }) => id))
  const groups: { group: LabelGroup; writtenAt: number }[] = []
  for (const [id, labels] of visible.labels) {
    const item = drawn.byId.get(id)
    const at = map.places.get(id)
    if (item?.kind !== 'message' || !at) continue
    const stands = { id, at, lane: item.lane, ends: item.childIds.length === 0, isHere: id === headId }
    const group = groupOf(model, stands, labels, titled)
    if (group) groups.push({ group, writtenAt: item.node.createdAt })
  }
  groups.sort((a, b) => b.writtenAt - a.writtenAt)
  const found = groups.map(({ group }) => group)
  if (visible.emptyBranches.length === 0) return { titles, groups: found }
  const empty = { branches: [...visible.emptyBranches], waiting: [], checkpoints: [] }
  const isHere = empty.branches.some(({ id }) => id === model.branchId)
  const stands = { id: emptyGroupId, at: { column: 0, row: 0 }, lane: 0, ends: false, isHere }
  const group = groupOf(model, stands, empty, titled)
  return { titles, groups: group ? [group, ...found] : found }
}

function chipOf(
  { index, branchId }: GraphModel,
  branch: GraphBranch,
  titled: boolean,
  waits = false,
): BranchChip {
  return {
    branch,
    title: labelTitle(index, branch.id),
    mark: labelMark(index, branch.id),
    isHere: branch.id === branchId,
    waits,
    titled,
  }
}

/** Weights of heavy, named and recent branches. */
const counts = { weight: 2, named: 1, recent: 0.6 }

/**
 * A title for each branch with messages of its own, where they begin: behind the end of a branch that it went on
 * from. When two branches have one end, the older one has the title.
 */
function lineTitles(model: GraphModel): LineTitle[] {
  const { visible, drawn, map } = model
  const heads: { item: DrawnItem; place: Place; branch: GraphBranch; writtenAt: number }[] = []
  for (const [id, { branches }] of visible.labels) {
    const item = drawn.byId.get(id)
    const place = map.places.get(id)
    const [branch] = branches
    if (item?.kind === 'message' && place && branch) {
      heads.push({ item, place, branch, writtenAt: item.node.createdAt })
    }
  }
  heads.sort((a, b) => a.place.row - b.place.row || a.place.column - b.place.column)
  const lineAt = new Map(map.lines.map((line) => [line.row, line]))
  const latest = heads.reduce((most, { writtenAt }) => Math.max(most, writtenAt), 0)
  const earliest = heads.reduce((least, { writtenAt }) => Math.min(least, writtenAt), latest)
  const titles: LineTitle[] = []
  for (const [at, { item, place, branch, writtenAt }] of heads.entries()) {
    const before = heads[at - 1]
    const goesOn = before?.place.row === place.row ? before.place.column : Number.NEGATIVE_INFINITY
    const first = lineAt
      .get(place.row)
      ?.items.find((each) => each.lane === item.lane && (map.places.get(each.id)?.column ?? 0) > goesOn)
    const from = (first && map.places.get(first.id)) ?? place
    const chip = chipOf(model, branch, true)
    const length = place.column - from.column + 1
    titles.push({
      chip,
      id: branch.id,
      from,
      to: place,
      text: chip.title,
      isHere: chip.isHere,
      lit: first !== undefined && isLit(model, first),
      lane: item.lane,
      goesOn: goesOn >= 0,
      rank:
        (counts.weight * length) / Math.max(1, map.columns) +
        (chosenName(branch.name) === null ? 0 : counts.named) +
        (counts.recent * (writtenAt - earliest)) / Math.max(1, latest - earliest),
    })
  }
  return titles
}

type Stands = Pick<LabelGroup, 'id' | 'at' | 'lane' | 'ends' | 'isHere'>

/** The labels of one message; null where the titles of lines say it all. */
function groupOf(
  model: GraphModel,
  stands: Stands,
  labels: NodeLabels,
  titled: ReadonlySet<string>,
): LabelGroup | null {
  const branches = [
    ...labels.branches.map((branch) => chipOf(model, branch, titled.has(branch.id))),
    ...labels.waiting.slice(0, waitingNamed).map((branch) => chipOf(model, branch, false, true)),
  ]
    .filter(({ isHere, titled: atLine }) => isHere || !atLine)
    .sort((a, b) => Number(b.isHere) - Number(a.isHere))
  const isHere = branches.some((chip) => chip.isHere)
  const flagged = flagsShown(labels, isHere)
  const flags = labels.checkpoints.slice(0, flagged)
  const more = {
    branches: labels.waiting.slice(waitingNamed).map((branch) => chipOf(model, branch, false, true)),
    flags: labels.checkpoints.slice(flagged),
  }
  if (branches.length + flags.length + more.branches.length + more.flags.length === 0) return null
  const widths = [
    ...branches.flatMap(chipWidths),
    ...flags.map(({ name }) => widthOf(name, true)),
    ...(more.flags.length > 0 ? [widthOf(`+${more.flags.length}`, false)] : []),
    ...(more.branches.length > 0 ? [widthOf(`+${more.branches.length}`, true)] : []),
  ]
  const width = widths.reduce((sum, each) => sum + each + chipGap, -chipGap)
  return { ...stands, isHere, branches, flags, more, width }
}

/** Padding and border of a label, and its icon with the space after it. */
const frame = 15
const icon = 15
const chipGap = 4
/** A label is no wider. */
export const widestChip = 320

const widthOf = (words: string, hasIcon: boolean): number =>
  Math.min(widestChip, textWidth(words) + frame + (hasIcon ? icon : 0))

/** The chip that says here has the title of its branch beside it, unless a line has it. */
const chipWidths = (chip: BranchChip): number[] => [
  widthOf(branchWords(chip), !chip.isHere),
  ...(chip.isHere && !chip.titled ? [widthOf(chip.title, false)] : []),
]

/**
 * Number of checkpoints of a message that have a flag; the others are counted, beside the branch being read all but
 * one.
 */
const flagsShown = ({ checkpoints }: NodeLabels, isHere: boolean): number =>
  checkpoints.length <= 2 || !isHere ? 2 : 1
