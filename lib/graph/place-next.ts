import type { MessageId } from '@/lib/events'
import type { GraphLane } from '@/lib/protocol'
import type { GraphIndex } from './graph-index'

/** Where a message will stand, and the lane it opens there if it does. */
export interface NextPlace {
  lane: number
  depth: number
  opens: GraphLane | null
}

/**
 * Foretells the place the store will give the next message under a parent (`null`: a new root): the first reply
 * stays in its parent's lane, every later one opens a lane. Right as long as nothing else is written first.
 * An unknown parent is taken for none.
 */
export function placeNext(index: GraphIndex, parentId: MessageId | null): NextPlace {
  const parent = parentId === null ? undefined : index.byId(parentId)
  const depth = parent ? parent.depth + 1 : 0
  if (parent && !index.at(parent.lane, depth)) return { lane: parent.lane, depth, opens: null }
  const lane = index.nextLane
  return { lane, depth, opens: { lane, parentLane: parent?.lane ?? null, baseDepth: depth } }
}
