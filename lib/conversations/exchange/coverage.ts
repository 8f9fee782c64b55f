/** The place of a message. */
export interface Place {
  lane: number
  depth: number
}

/** The lines of a chat and their ties, without the messages. */
export interface Outline {
  /** each lane: the lane that it left, and its first depth */
  lanes: readonly [lane: number, parentLane: number | null, baseDepth: number][]
  /** merges and copies (1), with the place of the merged or copied message */
  ties: readonly [lane: number, depth: number, toLane: number, toDepth: number, isCopy: 0 | 1][]
}

/** Messages of a lane, from one depth to another. */
export interface Stretch extends Place {
  /** the last depth */
  to: number
}

/** Everything that some messages reach: of each lane all from its first depth to this one. */
export type Coverage = ReadonlyMap<number, number>

/**
 * Finds the places reachable from messages: by lanes, never message by message.
 *
 * @param by `parents` reaches earlier messages; `all` also reaches the originals of copies, which cannot be stored
 *   without them
 */
export function outlined({ lanes, ties }: Outline, by: 'parents' | 'all') {
  const byLane = new Map(
    lanes.map(([lane, parent, base]) => [lane, { parent, base, ties: [] as (Place & { at: number })[] }]),
  )
  for (const [lane, at, toLane, toDepth, isCopy] of ties)
    if (by === 'all' || !isCopy) byLane.get(lane)?.ties.push({ at, lane: toLane, depth: toDepth })
  for (const { ties } of byLane.values()) ties.sort((a, b) => a.at - b.at)
  const reach = (heads: Iterable<Place>): Coverage => {
    const covered = new Map<number, number>()
    const waiting = [...heads]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const lane = byLane.get(next.lane)
      if (!lane) continue
      const known = covered.get(next.lane) ?? lane.base - 1
      if (known >= next.depth) continue
      covered.set(next.lane, next.depth)
      for (const { at, ...to } of lane.ties) if (at > known && at <= next.depth) waiting.push(to)
      if (known < lane.base && lane.parent !== null) waiting.push({ lane: lane.parent, depth: lane.base - 1 })
    }
    return covered
  }
  const missing = (wanted: Coverage, had: Coverage): Stretch[] =>
    [...wanted].flatMap(([lane, to]) => {
      const depth = (had.get(lane) ?? (byLane.get(lane)?.base ?? 0) - 1) + 1
      return depth <= to ? [{ lane, depth, to }] : []
    })
  return {
    reach,
    /** places that the first coverage reaches and the second does not */
    missing,
    count: (stretches: readonly Stretch[]) =>
      stretches.reduce((sum, { depth, to }) => sum + to + 1 - depth, 0),
  }
}

/** Tells whether a place is reached. */
export const isReached = (covered: Coverage, { lane, depth }: Place): boolean =>
  (covered.get(lane) ?? -1) >= depth
