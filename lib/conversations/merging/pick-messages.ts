import {
  type Change,
  type MessageOfChain,
  NotFoundError,
  planPick,
  type Step,
  type ThreadCommand,
} from '@/lib/context'
import type { BranchId, ChatId, MessageId, UserId } from '@/lib/events'
import type { Moved } from '@/lib/protocol'
import { deltaOf } from '../delta-of'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'
import { anew, carryOut, chatOfThreads } from '../threads/planned-command'
import { readBranch, refuseBusy } from './read-sides'

/** Messages of one pick. */
const MAX_PICKED = 1000

interface Pick {
  ownerId: UserId
  chatId: ChatId
  branchId: BranchId
  messageIds: readonly MessageId[]
  /** told of it besides, as part of the move */
  noted?: readonly Step[]
}

/**
 * Copies messages of a chat to the end of one of its branches, in the order given: see `planPick`.
 *
 * @throws InvalidRequestError, NotFoundError, AlreadyThereError, ReplyInProgressError; then nothing is written
 */
export const pickMessages = (ports: Ports, input: Pick): Promise<Moved> =>
  anew(async () => {
    const { change, branchId } = await plannedPick(ports, input)
    return { delta: deltaOf(change, await ports.store.commit(change)), branchId }
  })

/** Answer of `cherry-pick`. */
interface PickAnswer {
  chat_id: ChatId
  thread_id: BranchId
  message_ids: MessageId[]
  event_number?: number
}

/** `pickMessages` as a command; it rejects with `ExpectedVersionError` and `IdempotencyMismatchError` besides. */
export async function cherryPick(
  ports: Ports,
  {
    ownerId,
    once,
    threadId,
    messageIds,
    expectedVersion,
  }: ThreadCommand & {
    threadId: BranchId
    messageIds: readonly MessageId[]
    expectedVersion?: number | undefined
  },
): Promise<PickAnswer> {
  const { chatId, called } = await chatOfThreads(ports, ownerId, [threadId])
  return carryOut(ports, { ownerId, once }, async () => {
    const {
      change,
      branchId,
      messageIds: copies,
    } = await plannedPick(ports, {
      ownerId,
      chatId,
      branchId: threadId,
      messageIds,
    })
    const answer = { chat_id: called, thread_id: branchId, message_ids: copies }
    return { change, answer, threadId, expectedVersion }
  })
}

async function plannedPick(ports: Ports, { ownerId, chatId, branchId, messageIds, noted = [] }: Pick) {
  if (messageIds.length === 0) throw new InvalidRequestError('Name a message to pick.', 'nothing_picked')
  if (messageIds.length > MAX_PICKED) {
    const detail = `${MAX_PICKED.toLocaleString('en')} messages at most can be picked at once.`
    throw new InvalidRequestError(detail, 'too_many_messages')
  }
  const twice = messageIds.find((id, at) => messageIds.indexOf(id) !== at)
  if (twice !== undefined) {
    throw new InvalidRequestError(`The message "${twice}" is named twice.`, 'picked_twice')
  }
  const branch = await readBranch(ports, { ownerId, chatId, branchId })
  await refuseBusy(ports, { ownerId, chatId, branch })
  const found = await ports.store.getMessagesById(chatId, messageIds, branch.headId)
  const byId = new Map(found.map((message) => [message.id, message]))
  const messages = messageIds.map((id): MessageOfChain => {
    const message = byId.get(id)
    if (!message) throw new NotFoundError('message', id)
    return message
  })
  const at = ports.clock()
  const { steps, ...plan } = planPick({ branch, messages, noted, at, newId: ports.newId })
  const change: Change = { chatId, ownerId, at, steps }
  return { change, ...plan }
}
