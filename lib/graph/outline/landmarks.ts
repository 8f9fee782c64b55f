import type { MessageId } from '@/lib/events'
import type { GraphNode } from '@/lib/protocol'
import { isContext } from '../fold-stretches'

/** A shorter part says more as its messages. */
const shortestPart = 6
/** A pause after which a person comes back to a chat, in ms: the question after it says more than its neighbours. */
const longPause = 6 * 60 * 60 * 1000

/**
 * Splits folded stretches into parts that begin with a question of the person, so that a row for each part fills the
 * room there is. The parts are as even as the questions allow; near a split, a question after a long pause is taken.
 *
 * @param stretches the folded messages, top to bottom
 * @param room number of further rows that fit
 * @returns the messages that further parts begin with; none where there is no room
 */
export function landmarks(stretches: readonly (readonly GraphNode[])[], room: number): MessageId[] {
  const all = stretches.reduce((sum, { length }) => sum + length, 0)
  return stretches.flatMap((stretch) => {
    const parts = Math.min(
      1 + Math.floor((Math.max(0, room) * stretch.length) / all),
      Math.floor(stretch.length / shortestPart),
    )
    const size = stretch.length / parts
    const starts = new Set<MessageId>()
    for (let part = 1; part < parts; part++) {
      const start = nearest(stretch, Math.round(part * size), Math.floor(size / 2 - 1))
      if (start) starts.add(start.id)
    }
    return [...starts]
  })
}

/** The message near a place of a stretch that a part begins with: a question after a long pause, else the nearest question. */
function nearest(stretch: readonly GraphNode[], at: number, reach: number): GraphNode | undefined {
  let question: GraphNode | undefined
  for (let by = 0; by <= reach; by++) {
    for (const place of by === 0 ? [at] : [at - by, at + by]) {
      const node = stretch[place]
      if (node?.role !== 'user' || isContext(node)) continue
      const before = stretch[place - 1]
      if (before && node.createdAt - before.createdAt >= longPause) return node
      question ??= node
    }
  }
  // an agent works on for long without a question
  return question ?? stretch[at]
}
