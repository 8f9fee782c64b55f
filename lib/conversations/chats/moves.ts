import {
  type Change,
  NotFoundError,
  type Plan,
  planArchive,
  planChatUpdate,
  planCheckpoint,
  planCheckpointRemoval,
  planRename,
  planRewind,
  planSwitch,
  planUnarchive,
  type Step,
} from '@/lib/context'
import type { BranchId, ChatId, MessageId, UserId } from '@/lib/events'
import type { GraphDelta, Moved } from '@/lib/protocol'
import { deltaOf } from '../delta-of'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'
import { checkText } from '../turns/user-message'

interface InChat {
  ownerId: UserId
  chatId: ChatId
}

interface OnBranch extends InChat {
  branchId: BranchId
}

async function commit(ports: Ports, { ownerId, chatId }: InChat, steps: Step[]): Promise<GraphDelta> {
  const change: Change = { chatId, ownerId, at: ports.clock(), steps }
  return deltaOf(change, await ports.store.commit(change))
}

const move = async (ports: Ports, chat: InChat, { steps, branchId }: Plan): Promise<Moved> => ({
  delta: await commit(ports, chat, steps),
  branchId,
})

/** Goes back to a message; an empty branch that stands there already is reused. */
export async function rewind(ports: Ports, input: OnBranch & { messageId: MessageId }): Promise<Moved> {
  const { ownerId, chatId, branchId, messageId } = input
  const [emptyBranchId, from] = await Promise.all([
    ports.reads.emptyBranchAt(chatId, ownerId, messageId),
    ports.reads.branchState(chatId, ownerId, branchId),
  ])
  if (emptyBranchId === undefined) {
    if (from.chat !== 'own') throw new NotFoundError('chat', chatId)
    if (!from.state) throw new NotFoundError('branch', branchId)
  }
  const after = from.state?.branchName ?? ''
  return move(ports, input, planRewind({ after, messageId, emptyBranchId, newId: ports.newId }))
}

/** Goes back to a checkpoint's message, as `rewind` does. */
export async function restoreCheckpoint(ports: Ports, input: OnBranch & { name: string }): Promise<Moved> {
  const { chat } = await ports.reads.branchState(input.chatId, input.ownerId)
  if (chat !== 'own') throw new NotFoundError('chat', input.chatId)
  const checkpoint = await ports.store.getCheckpoint(input.chatId, input.name)
  if (!checkpoint) throw new NotFoundError('checkpoint', input.name)
  return rewind(ports, { ...input, messageId: checkpoint.messageId })
}

/** Makes a branch the one the chat opens on. */
export const switchBranch = (ports: Ports, input: OnBranch): Promise<Moved> =>
  move(ports, input, planSwitch(input.branchId))

/** Saves a checkpoint at a message; a name that exists moves. */
export async function saveCheckpoint(
  ports: Ports,
  input: InChat & { messageId: MessageId; name: string },
): Promise<GraphDelta> {
  const name = checkedName(input.name, 'checkpoint')
  return commit(ports, input, planCheckpoint({ name, messageId: input.messageId, newId: ports.newId }))
}

export const removeCheckpoint = (ports: Ports, input: InChat & { name: string }): Promise<GraphDelta> =>
  commit(ports, input, planCheckpointRemoval(input.name))

export async function renameBranch(ports: Ports, input: OnBranch & { name: string }): Promise<GraphDelta> {
  return commit(ports, input, planRename(input.branchId, checkedName(input.name, 'branch')))
}

/** Hides a branch; with `switchTo`, the chat opens there from now on. Nothing on it is lost. */
export const archiveBranch = (
  ports: Ports,
  input: OnBranch & { switchTo?: BranchId | undefined },
): Promise<GraphDelta> => commit(ports, input, planArchive(input.branchId, input.switchTo))

export const unarchiveBranch = (ports: Ports, input: OnBranch): Promise<GraphDelta> =>
  commit(ports, input, planUnarchive(input.branchId))

export async function renameChat(ports: Ports, input: InChat & { title: string }): Promise<GraphDelta> {
  return commit(ports, input, planChatUpdate({ title: checkedName(input.title, 'chat') }))
}

/** Deletes a chat with everything in it. The only move that cannot be undone. */
export async function deleteChat(ports: Ports, { ownerId, chatId }: InChat): Promise<void> {
  if (!(await ports.store.deleteChat(chatId, { userId: ownerId }))) throw new NotFoundError('chat', chatId)
  ports.live.abortChat(chatId)
}

/** A name a person chose, trimmed; throws `InvalidRequestError` that says why it cannot be used. */
export function checkedName(name: string, what: string): string {
  const trimmed = name.trim()
  if (trimmed === '') throw new InvalidRequestError(`Give the ${what} a name.`, 'empty_name')
  if (trimmed.length > 200) {
    throw new InvalidRequestError(`The name of a ${what} can have 200 characters at most.`, 'name_too_long')
  }
  checkText(trimmed)
  return trimmed
}
