import type { BranchId, MessageId, NewMessage, Step } from '@/lib/events'
import { type NewId, openBranch, planFork, switchTo } from './plan-moves'
import { appendTo } from './plan-turn'

/** A branch of another chat: its name there, and its messages from the root on. */
interface CopiedLine {
  id: BranchId
  name: string
  /** by the ids they have there */
  chain: readonly MessageId[]
}

/**
 * Branches of another chat as those of a new one: the first line is the branch that the chat begins with, and
 * every other opens at the last message that it shares with an earlier one. A copy as a whole is not a move:
 * there is no former state to return to.
 *
 * @param input.branchId of the first branch
 * @param input.message the copy of a message, under an id of its own, given what the copies before it are called
 * @param input.opensOn the line that the chat opens on
 */
export function planCopy({
  lines: [first, ...others],
  checkpoints = [],
  branchId: firstId,
  opensOn,
  message,
  newId,
}: {
  lines: readonly CopiedLine[]
  checkpoints?: readonly { name: string; messageId: MessageId }[]
  branchId: BranchId
  opensOn: BranchId
  message(id: MessageId, copies: ReadonlyMap<MessageId, MessageId>): NewMessage
  newId: NewId
}): Step[] {
  const copies = new Map<MessageId, MessageId>()
  const branches = new Map<BranchId, BranchId>()
  const copy = (ids: readonly MessageId[]): NewMessage[] =>
    ids.map((id) => {
      const made = message(id, copies)
      copies.set(id, made.id)
      return made
    })
  const steps: Step[] = []
  if (first) {
    branches.set(first.id, firstId)
    steps.push(...appendTo({ branchId: firstId, headId: null }, { messages: copy(first.chain) }))
  }
  for (const { id, name, chain } of others) {
    const at = chain.findLastIndex((message) => copies.has(message))
    const headId = copies.get(chain[at] ?? '') ?? null
    const fork = { name, after: name, activate: false, newId }
    const opened =
      headId === null ? openBranch(fork, null, undefined) : planFork({ ...fork, messageId: headId })
    branches.set(id, opened.branchId)
    steps.push(...opened.steps)
    steps.push(...appendTo({ branchId: opened.branchId, headId }, { messages: copy(chain.slice(at + 1)) }))
  }
  for (const { name, messageId } of checkpoints) {
    const copyId = copies.get(messageId)
    if (copyId) steps.push({ kind: 'save-checkpoint', checkpointId: newId(), name, messageId: copyId })
  }
  const opens = branches.get(opensOn)
  return opens === undefined || opens === firstId ? steps : [...steps, switchTo(opens)]
}
