import type { BranchId, ContextId, MessageId, NewMessage, Step } from '@/lib/events'
import { openBranch } from './plan-moves'
import { appendTo } from './plan-turn'

/** A message of a conversation that was held elsewhere. */
export interface TreeMessage {
  message: NewMessage
  /** null for a root */
  parentId: MessageId | null
  /** the context in force at it, where that is not the one of its parent */
  contextId?: ContextId | undefined
}

/** Stored part of a chat that is imported again. */
export interface StoredTree {
  messageIds: ReadonlySet<MessageId>
  /** the branches that new messages may continue, by head; null for an empty branch */
  heads: ReadonlyMap<MessageId | null, BranchId>
  /** the names of all its branches */
  names: ReadonlySet<string>
}

/** Messages of one append at most: a long conversation is stored in several changes. */
const LINE = 250

/**
 * A conversation from elsewhere, as steps that make the same tree. The messages down to `currentId` go on the
 * first branch, all others on branches that open where they leave it, as an edit or another attempt at a
 * reply would. Every message without an answer is the head of a branch. Stored messages stay as they are,
 * also when the chat has gone on here: new messages continue the branch whose head is their parent, else a
 * new one.
 *
 * Equal conversations make equal steps, no matter which part is stored.
 *
 * @param input.messages parents before their children; an unknown parent makes a root
 * @param input.branches names of branches that the conversation brings along, by their heads
 * @param input.mainId the first branch of the chat
 * @param input.branchIdOf an id for the branch that begins with a message
 */
export function planImport({
  messages,
  currentId,
  branches = [],
  mainId,
  stored,
  branchIdOf,
}: {
  messages: readonly TreeMessage[]
  currentId: MessageId | null
  branches?: readonly { name: string; headId: MessageId }[]
  mainId: BranchId
  stored?: StoredTree
  branchIdOf(first: MessageId): BranchId
}): Step[] {
  const tree = new Tree(messages)
  const placed = new Set(messages.flatMap(({ message: { id } }) => (stored?.messageIds.has(id) ? [id] : [])))
  const heads = new Map(stored?.heads ?? [[null, mainId]])
  const named = new Map(branches.map(({ name, headId }) => [headId, name]))
  const names = new Set(stored?.names ?? ['main'])
  const steps: Step[] = []

  const place = (line: readonly TreeMessage[]): void => {
    const first = line[0]
    if (!first) return
    const above = tree.parentOf(first)
    const free = heads.get(above)
    const branchId = free ?? branchIdOf(first.message.id)
    if (free === undefined) {
      const wanted = named.get(line.at(-1)?.message.id ?? '')?.trim()
      const name = wanted && wanted.length <= 200 && !names.has(wanted) ? wanted : undefined
      if (name !== undefined) names.add(name)
      const sibling = tree.siblingOf(first, placed)
      const fork = sibling
        ? { messageId: sibling, before: true }
        : above === null
          ? undefined
          : { messageId: above }
      const opened = {
        after: 'main',
        name,
        contextId: first.contextId,
        activate: false,
        newId: () => branchId,
      }
      steps.push(...openBranch(opened, above, fork).steps)
    } else heads.delete(above)
    let headId = above
    for (let at = 0; at < line.length; ) {
      const { contextId } = line[at] as TreeMessage
      let end = at + 1
      while (end < line.length && end - at < LINE && line[end]?.contextId === undefined) end += 1
      const part = line.slice(at, end).map(({ message }) => message)
      steps.push(...appendTo({ branchId, headId }, { messages: part, contextId }))
      headId = part.at(-1)?.id ?? headId
      at = end
    }
    heads.set(headId, branchId)
    for (const { message } of line) placed.add(message.id)
  }

  if (currentId !== null) {
    place(tree.lineTo(currentId, placed))
    // the first branch ends where the conversation was read last, also where there is more below
    heads.delete(currentId)
  }
  for (const message of messages) {
    if (!placed.has(message.message.id)) place(tree.lineFrom(message, placed))
  }
  return steps
}

/** The messages of a conversation by their parents. */
class Tree {
  readonly #byId: ReadonlyMap<MessageId, TreeMessage>
  readonly #children = new Map<MessageId | null, TreeMessage[]>()

  constructor(messages: readonly TreeMessage[]) {
    this.#byId = new Map(messages.map((message) => [message.message.id, message]))
    for (const message of messages) {
      const above = this.parentOf(message)
      const children = this.#children.get(above)
      if (children) children.push(message)
      else this.#children.set(above, [message])
    }
  }

  parentOf({ parentId }: TreeMessage): MessageId | null {
    return parentId !== null && this.#byId.has(parentId) ? parentId : null
  }

  /** The unplaced end of the chain to a message, root first. */
  lineTo(id: MessageId, placed: ReadonlySet<MessageId>): TreeMessage[] {
    const line: TreeMessage[] = []
    for (let at: MessageId | null = id; at !== null && !placed.has(at); ) {
      const found = this.#byId.get(at)
      if (!found) break
      line.push(found)
      at = this.parentOf(found)
    }
    return line.reverse()
  }

  /** A message and its latest replies, down to a message without a reply. */
  lineFrom(message: TreeMessage, placed: ReadonlySet<MessageId>): TreeMessage[] {
    const line: TreeMessage[] = []
    for (let at: TreeMessage | undefined = message; at; ) {
      line.push(at)
      at = this.#children.get(at.message.id)?.findLast((child) => !placed.has(child.message.id))
    }
    return line
  }

  /** The message that this one was said instead of: an edit leaves the thread before it. A reply has none, it is another attempt. */
  siblingOf(message: TreeMessage, placed: ReadonlySet<MessageId>): MessageId | undefined {
    const above = this.parentOf(message)
    if (message.message.name === 'assistant' && above !== null) return undefined
    return this.#children.get(above)?.find(({ message: { id } }) => placed.has(id))?.message.id
  }
}
