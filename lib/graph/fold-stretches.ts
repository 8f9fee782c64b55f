import type { MessageId } from '@/lib/events'
import type { VisibleGraph, VisibleNode } from './visible-graph'

/** Up to this many messages a graph is drawn whole; in a larger one the long stretches open folded. */
export const foldsBeyond = 200
/** A shorter stretch says more than the fold in its place would. */
const shortest = 4

/**
 * The messages to fold when the graph opens: those of stretches without a fork, a label or an unfinished reply.
 * Landmarks stay: roots, both sides of a fork, the last two messages of every line, and those `keep` names. Linear.
 */
export function longStretches(
  { nodes, byId, labels }: VisibleGraph,
  keep: (id: MessageId) => boolean = () => false,
): Set<MessageId> {
  const onlyChild = ({ childIds }: VisibleNode): VisibleNode | undefined =>
    childIds.length === 1 ? byId.get(childIds[0] as MessageId) : undefined
  const canFold = (visible: VisibleNode): boolean => {
    const { node, parentId, versions } = visible
    const below = onlyChild(visible)
    const isBetween = parentId !== null && versions === 1 && below !== undefined && below.childIds.length > 0
    return isBetween && node.status === 'done' && !labels.has(node.id) && !keep(node.id)
  }

  const folded = new Set<MessageId>()
  let stretch: VisibleNode[] = []
  const close = () => {
    if (stretch.length >= shortest) for (const { node } of stretch) folded.add(node.id)
    stretch = []
  }
  // depth first, so what follows in a line follows in the list
  for (const visible of nodes) {
    if (stretch.at(-1)?.node.id !== visible.parentId) close()
    if (canFold(visible)) stretch.push(visible)
    else close()
  }
  close()
  return folded
}

/** The folded messages without those that have to be seen; the rest of their stretch stays folded. */
export function withoutShown(
  folded: ReadonlySet<MessageId>,
  shown: Iterable<MessageId | null>,
): ReadonlySet<MessageId> {
  const rest = new Set(folded)
  for (const id of shown) if (id !== null) rest.delete(id)
  return rest.size === folded.size ? folded : rest
}
