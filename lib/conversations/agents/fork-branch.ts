import { NotFoundError, planRewind, type ThreadCommand } from '@/lib/context'
import type { BranchId, ChatId, MessageId, UserId } from '@/lib/events'
import { inCalledChat } from '../chats/called-chat'
import { checkedName } from '../chats/moves'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'
import { carryOut } from '../threads/planned-command'

/** Answer of `forkBranch`, stored under the command's key. */
export interface ForkedBranch {
  chat_id: ChatId
  thread_id: BranchId
  from_message_id: MessageId
  event_number?: number
}

/**
 * Opens a branch at a message, in the context in force there. The chat still opens on its former branch: a
 * person who reads it is not moved.
 *
 * @param input.branch the branch that it leaves, a name or an id; by default the branch the chat opens on
 * @param input.messageId the last message that it inherits; the branch's last one unless given
 * @param input.name made from the branch's name unless given
 * @throws NotFoundError, NameTakenError, IdempotencyMismatchError, InvalidRequestError; then nothing is written
 */
export async function forkBranch(
  ports: Ports,
  input: ThreadCommand & {
    ownerId: UserId
    chatId: ChatId
    branch?: string | undefined
    messageId?: MessageId | undefined
    name?: string | undefined
  },
): Promise<ForkedBranch> {
  const { ownerId, chatId: called, once, branch, messageId } = input
  const name = input.name === undefined ? undefined : checkedName(input.name, 'branch')
  return inCalledChat(ports, { ownerId, chatId: called }, ({ chatId }) =>
    carryOut<ForkedBranch>(ports, { ownerId, once }, async () => {
      const { chat, state } = await ports.reads.branchState(chatId, ownerId, branch)
      if (chat !== 'own') throw new NotFoundError('chat', chatId)
      if (!state) throw new NotFoundError('branch', branch ?? '')
      const from = messageId ?? state.headId
      if (from === null) {
        const detail = 'This branch has no message yet: there is nothing to fork from.'
        throw new InvalidRequestError(detail, 'empty_branch')
      }
      const { steps, branchId } = planRewind({
        after: state.branchName,
        messageId: from,
        name,
        activate: false,
        newId: ports.newId,
      })
      return {
        change: { chatId, ownerId, at: ports.clock(), steps },
        answer: { chat_id: called, thread_id: branchId, from_message_id: from },
      }
    }),
  )
}
