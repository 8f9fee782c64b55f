import type { UIMessage } from 'ai'
import type { ThreadCommand } from '@/lib/context'
import type { BranchId, MessageId, UserId } from '@/lib/events'
import type { Ports } from '../ports'
import { prepareFanOut, type Target } from '../turns/fan-out'
import { prepareKeep } from '../turns/keep-branch'
import { checkText } from '../turns/user-message'
import { carryOut, chatOfThreads } from './planned-command'

interface OnThread extends ThreadCommand {
  ownerId: UserId
  threadId: BranchId
}

/** Answer of the command `fan-out`. */
export interface FanOutAnswer {
  chat_id: string
  /** the thread of the first reply */
  thread_id: string
  message_id: string
  threads: { thread_id: string; model: string; context_id: string }[]
  event_number?: number
}

/**
 * `fanOut` as a command on a thread: the replies are queued, and a worker writes them. Rejects besides with
 * `IdempotencyMismatchError`.
 */
export async function fanOutOnce(
  ports: Ports,
  input: OnThread & { targets: readonly Target[] } & ({ content: string } | { messageId: MessageId }),
): Promise<FanOutAnswer> {
  const { ownerId, once, threadId, targets } = input
  if ('content' in input) checkText(input.content)
  const answer = await carryOut(ports, { ownerId, once }, async () => {
    const { called: chatId } = await chatOfThreads(ports, ownerId, [threadId])
    const said =
      'content' in input ? { message: messageOf(ports, input.content) } : { messageId: input.messageId }
    const prepared = await prepareFanOut(ports, { ownerId, chatId, branch: threadId, targets, ...said })
    const threads = prepared.plan.replies.map(({ branchId, model, contextId }) => ({
      thread_id: branchId,
      model,
      context_id: contextId,
    }))
    return {
      change: prepared.change,
      answer: { chat_id: chatId, thread_id: prepared.plan.branchId, message_id: prepared.replyTo, threads },
    }
  })
  ports.queue.nudge(ports.slots.when(ownerId))
  return answer
}

/** Answer of the command `keep-thread`. */
export interface KeptThread {
  chat_id: string
  thread_id: string
  event_number?: number
}

/** `keepBranch` as a command. Rejects besides with `IdempotencyMismatchError`. */
export const keepThreadOnce = (
  ports: Ports,
  input: OnThread & { otherIds: readonly BranchId[] },
): Promise<KeptThread> =>
  carryOut(ports, input, async () => {
    const { ownerId, threadId, otherIds } = input
    const { chatId, called } = await chatOfThreads(ports, ownerId, [threadId])
    const asked = { ownerId, chatId, branchId: threadId, otherIds, called: 'thread' } as const
    const change = await prepareKeep(ports, asked)
    return { change, answer: { chat_id: called, thread_id: threadId } }
  })

const messageOf = ({ newId }: Ports, text: string): UIMessage => ({
  id: newId(),
  role: 'user',
  parts: [{ type: 'text', text }],
})
