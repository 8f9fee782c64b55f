import type { MessageId } from '@/lib/events'
import type { GraphNode } from '@/lib/protocol'
import type { VisibleGraph, VisibleNode } from './visible-graph'

/** Up to this many messages a graph is drawn whole; in a larger one the long stretches open folded. */
export const foldsBeyond = 200
/** A shorter stretch says more than the fold in its place would. */
const shortest = 4

/**
 * The messages to fold when the graph opens: stretches without a fork, a label or an unfinished reply. Landmarks
 * stay: roots, both sides of a fork, the last two messages of every line, and messages that `keep` names. Linear.
 */
export function longStretches(
  { nodes, byId, labels }: VisibleGraph,
  keep: (id: MessageId) => boolean = () => false,
): Set<MessageId> {
  const canFold = (visible: VisibleNode): boolean => {
    const { node, childIds } = visible
    const below = byId.get(childIds[0] ?? '')
    return isPlain({ labels }, visible) && (below?.childIds.length ?? 0) > 0 && !keep(node.id)
  }
  return foldedRuns(nodes, canFold, shortest)
}

/**
 * The steps of agents to fold when the graph opens: calls of tools in a row, the answers to them, and context that an agent
 * has added. A call and its answer are one row that way, and so are many calls; words that a model says with a call fold where
 * three of them follow each other. Forks, labels and ends stay. Linear.
 */
export function stepRuns({ nodes, byId, labels }: VisibleGraph): Set<MessageId> {
  const isOf = (isPart: (node: GraphNode, next?: GraphNode) => boolean) => (visible: VisibleNode) =>
    isPlain({ labels }, visible) && isPart(visible.node, byId.get(visible.childIds[0] ?? '')?.node)
  const quiet = foldedRuns(nodes, isOf(isQuiet), 2)
  return new Set([...quiet, ...foldedRuns(nodes, isOf(isOfRun), 6)])
}

/** True when a message is nothing but calls of tools, or their answers. */
export const isStep = ({ holds }: Pick<GraphNode, 'holds'>): boolean => holds?.includes('step') === true

/** Tells whether a message is nothing but context that an agent has added. */
export const isContext = ({ holds }: Pick<GraphNode, 'holds'>): boolean => holds?.includes('context') === true

/** These words stand in the place of context that an agent has added. */
export const contextWords = 'Context the agent added'

/** Tells whether a message has no words of a person or a model. */
const isQuiet = (node: GraphNode): boolean => isStep(node) || isContext(node)

/**
 * Tells whether a message is a part of an agent's run: a step, added context, or words that a model says with a call.
 *
 * @param next the message below it
 */
export const isOfRun = (node: GraphNode, next: GraphNode | undefined): boolean =>
  isQuiet(node) || (node.holds?.includes('tool') === true && next?.role === 'tool' && isStep(next))

/** A finished message between two others, without a version beside it or a label. */
function isPlain(
  { labels }: Pick<VisibleGraph, 'labels'>,
  { node, parentId, versions, childIds }: VisibleNode,
): boolean {
  return (
    parentId !== null &&
    versions === 1 &&
    childIds.length === 1 &&
    node.status === 'done' &&
    !labels.has(node.id)
  )
}

/** The messages that can fold and have enough neighbours that can. */
function foldedRuns(
  nodes: readonly VisibleNode[],
  canFold: (visible: VisibleNode) => boolean,
  least: number,
): Set<MessageId> {
  const folded = new Set<MessageId>()
  let stretch: VisibleNode[] = []
  const close = () => {
    if (stretch.length >= least) for (const { node } of stretch) folded.add(node.id)
    stretch = []
  }
  // depth first, so the next items of a line follow in the list
  for (const visible of nodes) {
    if (stretch.at(-1)?.node.id !== visible.parentId) close()
    if (canFold(visible)) stretch.push(visible)
    else close()
  }
  close()
  return folded
}

/** The folded messages without the shown ones; the rest of their stretch stays folded. */
export function withoutShown(
  folded: ReadonlySet<MessageId>,
  shown: Iterable<MessageId | null>,
): ReadonlySet<MessageId> {
  const unfolded = [...shown].filter((id) => id !== null && folded.has(id))
  if (unfolded.length === 0) return folded
  const rest = new Set(folded)
  for (const id of unfolded) if (id !== null) rest.delete(id)
  return rest
}
