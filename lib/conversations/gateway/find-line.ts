import type { AgentNode } from '@/lib/context'
import type { AgentPorts, Line } from './store-line'

/** The last message of a line that is stored. */
export interface Found {
  node: AgentNode
  /** the place of its message in the line */
  at: number
}

/**
 * Names that are looked for first. A call that goes on is found by one of its last names, and a thousand names are 64 kB on the
 * way to the database.
 */
const LIKELY = 16

/** The longest stored part of a line: the place of its last message, and its facts. */
export async function find({ store }: AgentPorts, line: Line): Promise<Found | undefined> {
  const { ownerId, within, isLast, names, otherNames } = line
  let end = names.length
  for (let some = LIKELY; end > 0; some = end) {
    const from = Math.max(0, end - some)
    const places = new Map<string, number>()
    for (let at = end - 1; at >= from; at -= 1) {
      for (const name of [otherNames[at], names[at]]) if (name !== undefined) places.set(name, at)
    }
    let asked = [...places.keys()]
    while (asked.length > 0) {
      const node = await store.findAgentNode(ownerId, asked, { chatId: within })
      const at = node && places.get(node.hash)
      if (!node || at === undefined) break
      if (at < names.length - 1 || !isLast || isLast(node)) return { node, at }
      asked = asked.slice(asked.indexOf(node.hash) + 1)
    }
    end = from
  }
  return undefined
}

/** Tells whether the name that found a message is not the one from which the names below it continue. */
export const isFurtherName = (
  { names, otherNames }: Pick<Line, 'names' | 'otherNames'>,
  { at, node: { chain } }: Found,
): boolean => chain !== names[at] && chain !== otherNames[at]
