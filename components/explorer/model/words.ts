import { plainPreview } from '@/components/app/plain-preview'
import {
  contextWords as addedContext,
  branchTitle,
  foldedSteps,
  type GraphIndex,
  isContext,
  isStep,
  type NodeLabels,
} from '@/lib/graph'
import { speakerOf } from '@/lib/graph/speaker'
import type { GraphNode } from '@/lib/protocol'

/** The state of a reply that is not complete, in a word. */
export const statusWords: Partial<Record<GraphNode['status'], string>> = {
  streaming: 'Writing',
  failed: 'Failed',
  stopped: 'Stopped',
}

/** The words of a message: a step of an agent has no Markdown, and a star in it is one; added context is only named. */
export const previewOf = (node: Pick<GraphNode, 'preview' | 'holds'>): string =>
  isContext(node) ? addedContext : isStep(node) ? node.preview : plainPreview(node.preview)

/** The words of a fold: what steps of agents did, else the number of messages. */
export const foldWords = (nodes: readonly GraphNode[]): string =>
  foldedSteps(nodes) ?? messageCount(nodes.length)

/** The accessible name of a message in the graph: exactly what its card shows. */
export const cardName = ({ role, preview, status, holds }: GraphNode): string =>
  [!isContext({ holds }) && `${speakerOf(role)}:`, previewOf({ preview, holds }) || '…', statusWords[status]]
    .filter(Boolean)
    .join(' ')

/** About a message in another context than the one before it. */
const contextWords = 'context changed here'

/** Words for a message's contents besides its text. */
export const heldWords = { file: 'Has files', tool: 'Calls tools', question: 'Waits for you' }
type Marked = keyof typeof heldWords

/**
 * The marks of a message besides its text: a question only until it is answered.
 *
 * @param asks a tool waits in it for a person
 */
export const markedOf = ({ holds = [] }: Pick<GraphNode, 'holds'>, asks: boolean): Marked[] =>
  holds.filter((held): held is Marked => held in heldWords && (held !== 'question' || asks))

/** The origin of a message, besides the one before it; null for most. */
export function originWords(
  index: GraphIndex,
  {
    mergeParentId,
    copiedFromId,
    depth,
  }: Partial<Pick<GraphNode, 'mergeParentId' | 'copiedFromId' | 'depth'>>,
): string | null {
  if (mergeParentId === undefined) return copiedFromId === undefined ? null : 'Copied from another branch'
  const source = index.branchesAt(mergeParentId)[0] ?? index.branchHolding(mergeParentId)
  return `${depth === 0 ? 'Summary of' : 'Merged from'} ${source ? branchTitle(index, source.id) : 'another branch'}`
}

/**
 * The accessible description of a message: its contents besides its text, its labels, which lie beside the tree, and
 * its mark when it is picked.
 */
export function descriptionOf(
  index: GraphIndex,
  labels: NodeLabels | undefined,
  marked: boolean,
  contextChanged = false,
  node?: GraphNode,
): string | undefined {
  const { branches = [], waiting = [], checkpoints = [] } = labels ?? {}
  const heads = [...branches, ...waiting].map(({ id }) => branchTitle(index, id)).join(' and ')
  const said = [
    heads && `Head of ${heads}`,
    ...checkpoints.map(({ name }) => `checkpoint ${name}`),
    contextChanged && contextWords,
    node && originWords(index, node),
    ...(node ? markedOf(node, index.asksAt(node.id)) : []).map((held) => heldWords[held].toLowerCase()),
    marked && 'picked',
  ]
  return said.filter(Boolean).join(', ') || undefined
}

export const messageCount = (count: number): string => `${count} ${count === 1 ? 'message' : 'messages'}`
