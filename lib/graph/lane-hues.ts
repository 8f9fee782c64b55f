import type { GraphLane } from '@/lib/protocol'

/** Lanes have so many hues. */
const hueCount = 8

/** The hue of each lane of a graph, from 0. */
export type LaneHues = ReadonlyMap<number, number>

/** The hue that a lane has by itself, where no other lane is known. */
export const ownHue = (lane: number): number => lane % hueCount

/** Hues that look alike in one theme or the other: two blues, two purples, two greys. */
const lookAlike: Readonly<Record<number, number>> = { 0: 5, 5: 0, 2: 4, 4: 2, 3: 6, 6: 3 }

/** The hue of a lane in its graph. */
export const hueOf = (hues: LaneHues, lane: number): number => hues.get(lane) ?? ownHue(lane)

/** A lane among the rows of the map. */
interface Row {
  hue: number
  /** the depth of its first message */
  depth: number
  before: Row | null
  after: Row | null
  /** the lanes that leave it, in the order of their rows: the last forks first, of those at one message the oldest */
  forks: Row[]
}

const known = new WeakMap<readonly GraphLane[], LaneHues>()

/**
 * The hues of lanes. In the order in which lanes were opened, each takes a hue that neither its parent has nor the
 * two rows above and below it at that time; if possible none that looks like theirs, and one that no line has yet.
 * Rows only move apart: so they differ from then on, and no lane that is opened later changes the hue of another one.
 */
export function laneHues(lanes: readonly GraphLane[]): LaneHues {
  const before = known.get(lanes)
  if (before) return before
  const rows = new Map<number, Row>()
  const hues = new Map<number, number>()
  const used = new Set<number>()
  const roots: Row[] = []
  for (const { lane, parentLane, baseDepth, hue } of lanes.toSorted((a, b) => a.lane - b.lane)) {
    const parent = parentLane === null ? undefined : rows.get(parentLane)
    const row: Row = { hue: 0, depth: baseDepth, before: null, after: null, forks: [] }
    const beside = parent?.forks ?? roots
    // roots stand below each other
    const at = parent ? placeAmong(beside, baseDepth) : beside.length
    const sibling = beside[at - 1]
    standBelow(row, sibling ? lastRow(sibling) : parent)
    row.hue = hue ?? freeHue(ownHue(lane), used, row, parent, sibling)
    used.add(row.hue)
    beside.splice(at, 0, row)
    rows.set(lane, row)
    hues.set(lane, row.hue)
  }
  known.set(lanes, hues)
  return hues
}

/** The place of a new fork among the forks of a lane. */
function placeAmong(forks: readonly Row[], depth: number): number {
  let [low, high] = [0, forks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((forks[middle]?.depth ?? 0) >= depth) low = middle + 1
    else high = middle
  }
  return low
}

function lastRow(row: Row): Row {
  let last = row
  for (let fork = last.forks.at(-1); fork; fork = last.forks.at(-1)) last = fork
  return last
}

function standBelow(row: Row, above: Row | undefined): void {
  if (!above) return
  row.before = above
  row.after = above.after
  if (above.after) above.after.before = row
  above.after = row
}

/**
 * The first free hue from the wanted one on; hues that no line has yet come before the others: in a small chat each
 * line has its own. A list has siblings beside each other, so their hues come last.
 */
function freeHue(
  wanted: number,
  used: ReadonlySet<number>,
  { before, after }: Row,
  parent?: Row,
  sibling?: Row,
): number {
  const near = [parent, before, before?.before, after, after?.after]
  const taken = new Set(near.map((row) => row?.hue))
  const inTurn = Array.from({ length: hueCount }, (_, by) => (wanted + by) % hueCount)
  const all = [...inTurn.filter((hue) => !used.has(hue)), ...inTurn.filter((hue) => used.has(hue))]
  const free = all.filter((hue) => !taken.has(hue))
  const clear = free.filter((hue) => hue !== sibling?.hue)
  const unlike = (rows: readonly (Row | null | undefined)[]) =>
    clear.find((hue) => !rows.some((row) => row && row.hue === lookAlike[hue]))
  return unlike([...near, sibling]) ?? unlike([parent, before, after]) ?? clear[0] ?? free[0] ?? wanted
}
