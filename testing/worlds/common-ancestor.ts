import type { MessageId } from '@/lib/events'
import type { GraphIndex } from '@/lib/graph'
import { aboveLane, type Stretch } from '@/lib/graph/graph-tables'
import type { GraphNode } from '@/lib/protocol'

/**
 * The deepest place two chains share, by arithmetic on lanes: a lane hangs below a lane with a smaller number, so the
 * chain in the higher lane goes up until both are in the same lane. Costs the forks between the two, not their depth.
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

/** The deepest message both chains share, or null when they have different roots. */
export function commonAncestor(index: GraphIndex, a: MessageId, b: MessageId): GraphNode | null {
  const left = index.byId(a)
  const right = index.byId(b)
  if (!left || !right) return null
  const shared = commonPlace(
    { lane: left.lane, top: left.depth },
    { lane: right.lane, top: right.depth },
    (lane) => aboveLane(index.lane(lane)),
  )
  return (shared && index.at(shared.lane, shared.top)) ?? null
}
