import { plainPreview } from '@/components/app/plain-preview'
import type { BranchId, MessageId } from '@/lib/events'
import type { GraphIndex } from '@/lib/graph'
import type { GraphNode } from '@/lib/protocol'

/** The longest list, of each kind: a near one is wanted mostly. */
const MOST = 100

/** A reply whose prompt another one can be compared with. */
export interface Comparable {
  id: MessageId
  /** its first words */
  words: string
}

/**
 * The replies that a prompt can be compared with, newest first.
 *
 * @param messageId the message whose prompt it is; null for the next reply of the branch
 * @returns `before`: the reply above it; null for the first
 */
export function comparable(
  index: GraphIndex,
  messageId: MessageId | null,
  branchId: BranchId,
): { before: Comparable | null; here: Comparable[]; elsewhere: Comparable[] } {
  const head = index.branch(branchId)?.headId ?? null
  const others = ({ id, role }: GraphNode) => role === 'assistant' && id !== messageId
  const chain = head === null ? [] : index.chainTo(head)
  const onBranch = new Set(chain.map(({ id }) => id))
  const above = messageId === null ? chain : index.chainTo(messageId)
  const before = above.findLast(others)
  const elsewhere = index.graph.nodes.filter((node) => !onBranch.has(node.id) && others(node))
  return {
    before: before ? named(before) : null,
    here: newest(chain.filter(others)),
    elsewhere: newest(elsewhere),
  }
}

const newest = (nodes: readonly GraphNode[]): Comparable[] => nodes.slice(-MOST).reverse().map(named)

const named = ({ id, preview }: GraphNode): Comparable => ({ id, words: plainPreview(preview).slice(0, 80) })
