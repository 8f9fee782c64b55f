import type { Stretch } from '../graph-tables'

/**
 * The deepest place two chains share, by arithmetic on lanes: lanes hang below lanes with smaller numbers, so of two
 * different lanes the higher one is left upwards, until both chains are in the same. Costs the forks between the two,
 * not their depth.
 *
 * @param above the place a lane hangs from; null for a root's lane
 * @returns null when the chains have different roots
 */
export function commonPlace(
  left: Stretch,
  right: Stretch,
  above: (lane: number) => Stretch | null,
): Stretch | null {
  let one: Stretch | null = left
  let other: Stretch | null = right
  while (one && other && one.lane !== other.lane) {
    if (one.lane > other.lane) one = above(one.lane)
    else other = above(other.lane)
  }
  return one && other ? { lane: one.lane, top: Math.min(one.top, other.top) } : null
}
