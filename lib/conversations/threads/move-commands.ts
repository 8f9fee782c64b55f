import {
  type ContextData,
  type Plan,
  planArchive,
  planCheckpoint,
  planCheckpointRemoval,
  planRename,
  planSwitch,
  planUnarchive,
  type ThreadCommand,
} from '@/lib/context'
import type { BranchId, ChatId, MessageId, UserId } from '@/lib/events'
import { plannedLeaveOut } from '../chats/leave-out'
import { checkedName, plannedRestore, plannedRewind } from '../chats/moves'
import type { Ports } from '../ports'
import { carryOut, chatOfThreads } from './planned-command'

/** A move of a thread or of a checkpoint in its chat, as a command says it. */
export type ThreadMove =
  | { move: 'switch' | 'unarchive' }
  | { move: 'rewind'; messageId: MessageId; name?: string | undefined; activate?: boolean | undefined }
  | { move: 'restore-checkpoint' | 'remove-checkpoint' | 'rename'; name: string }
  | { move: 'save-checkpoint'; messageId: MessageId; name: string }
  | { move: 'archive'; switchTo?: BranchId | undefined }
  | { move: 'leave-out'; messageIds: readonly MessageId[]; leftOut: boolean }

/** Answer of a command that moves a thread. */
export interface MovedThread {
  chat_id: string
  /** the thread that the move has changed or opened */
  thread_id: string
  event_number?: number
  /** for `leave-out`: the context in force from now on */
  context_id?: string
}

/**
 * A move as a command on a thread. Rejects as the move itself does, and with `IdempotencyMismatchError` besides; then
 * nothing is written.
 */
export const moveThreadOnce = (
  ports: Ports,
  { ownerId, once, threadId, ...asked }: ThreadCommand & { threadId: BranchId } & ThreadMove,
): Promise<MovedThread> =>
  carryOut(ports, { ownerId, once }, async () => {
    const { chatId, called } = await chatOfThreads(ports, ownerId, [threadId])
    const plan = await planned(ports, { ownerId, chatId, branchId: threadId }, asked)
    const { steps, contexts = [], branchId, contextId: context_id } = plan
    const change = { chatId, ownerId, at: ports.clock(), contexts, steps }
    return { change, answer: { chat_id: called, thread_id: branchId, context_id } }
  })

interface OnBranch {
  ownerId: UserId
  chatId: ChatId
  branchId: BranchId
}

type PlannedMove = Plan & { contexts?: ContextData[]; contextId?: string }

async function planned(ports: Ports, on: OnBranch, asked: ThreadMove): Promise<PlannedMove> {
  const { branchId } = on
  const { newId } = ports
  switch (asked.move) {
    case 'switch':
      return planSwitch(branchId)
    case 'rewind':
      return plannedRewind(ports, { ...on, ...asked })
    case 'restore-checkpoint':
      return plannedRestore(ports, { ...on, name: asked.name })
    case 'save-checkpoint': {
      const name = checkedName(asked.name, 'checkpoint')
      return { steps: planCheckpoint({ name, messageId: asked.messageId, newId }), branchId }
    }
    case 'remove-checkpoint':
      return { steps: planCheckpointRemoval(asked.name), branchId }
    case 'rename':
      return { steps: planRename(branchId, checkedName(asked.name, 'branch')), branchId }
    case 'archive':
      return { steps: planArchive(branchId, asked.switchTo), branchId }
    case 'leave-out':
      return { ...(await plannedLeaveOut(ports, { ...on, ...asked })), branchId }
    case 'unarchive':
      return { steps: planUnarchive(branchId), branchId }
  }
}
