import type { BranchId, MessageId } from '@/lib/events'
import { branchTitle } from '@/lib/graph/branch-title'
import type { GraphIndex } from '@/lib/graph/graph-index'
import type { GraphNode } from '@/lib/protocol'
import { messagesUrl } from './read-chat'

/** A version of a message, as a list shows it. */
export interface Version {
  node: GraphNode
  /** the branch to read it on; null where none holds it */
  branch: { id: BranchId; name: string; title: string } | null
  /** the address of the reply among the two: the version itself, or the first reply to it */
  replyUrl: string | null
}

/** All versions of a message, itself among them, oldest first; each on the branch that is opened for it. */
export function versionList(index: GraphIndex, id: MessageId, reading: BranchId): Version[] {
  const { chatId } = index.graph
  return index.siblingsOf(id).map((node) => {
    const holder = index.branchHolding(node.id, reading)
    if (!holder) return { node, branch: null, replyUrl: null }
    const replyDepth = node.role === 'user' ? node.depth + 1 : node.depth
    return {
      node,
      branch: { id: holder.id, name: holder.name, title: branchTitle(index, holder.id) },
      replyUrl: messagesUrl(chatId, holder.id, replyDepth + 1, 1),
    }
  })
}
