import { AlreadyThereError, type MessageId, type NewMessage, type Step } from '@/lib/events'
import { messagePreview } from '../fragments'
import type { MessageData, MessageOfChain } from '../store/records'
import { asMove, type NewId, type Plan } from './plan-moves'
import { type BranchHead, intoUse } from './plan-turn'

/**
 * Copies messages to the end of a branch, in the order given (DESIGN.md §2: `copiedFromId`). The originals stay where they
 * are. A copy is in the branch's own context, and is no work of a model: it counts for nothing in usage.
 *
 * @param input.messages at least one, and whether each is on the branch's chain
 * @param input.at in milliseconds
 * @throws AlreadyThereError for a message that the branch has already
 */
export function planPick({
  branch,
  messages,
  noted = [],
  at,
  newId,
}: {
  branch: BranchHead
  messages: readonly MessageOfChain[]
  /** told of it besides, as part of the move */
  noted?: readonly Step[]
  at: number
  newId: NewId
}): Plan & { messageIds: MessageId[] } {
  const known = messages.find(({ isOnChain }) => isOnChain)
  if (known) throw new AlreadyThereError(known.id)
  const copies = copiesOf(messages, { at, newId })
  const steps = [...intoUse(branch), ...addTo(branch, copies), ...noted]
  return {
    steps: asMove('pick', steps),
    branchId: branch.branchId,
    messageIds: copies.map(({ id }) => id),
  }
}

/** The same messages under new ids, in their rows and in their bodies. */
export const copiesOf = (
  messages: readonly MessageData[],
  { at, newId }: { at: number; newId: NewId },
): NewMessage[] =>
  messages.map(({ id: copiedFromId, name, type, data, status }) => {
    const id = newId()
    return {
      id,
      name,
      type,
      data: withId(data, id),
      preview: messagePreview(data),
      status,
      copiedFromId,
      createdAt: at,
    }
  })

/** A line of messages below the head of a branch, once no reply is being written there. */
export const addTo = ({ branchId, headId }: BranchHead, messages: NewMessage[]): Plan['steps'] => [
  { kind: 'append', branchId, expectedHead: headId, whenIdle: true, messages },
]

const withId = (data: unknown, id: string): unknown =>
  typeof data === 'object' && data !== null && !Array.isArray(data) && 'id' in data ? { ...data, id } : data
