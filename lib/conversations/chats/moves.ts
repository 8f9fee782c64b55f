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

export interface Rewind extends OnBranch {
  messageId: MessageId
  joins?: number | undefined
  /** the new branch's name; by default made from the name of the branch it leaves */
  name?: string | undefined
  /** opens the chat on the branch; true unless told */
  activate?: boolean | undefined
}

/** Goes back to a message; an empty branch that stands there already is reused, unless the new one gets a name. */
export const rewind = async (ports: Ports, input: Rewind): Promise<Moved> =>
  move(ports, input, await plannedRewind(ports, input))

/** Steps of `rewind`. Rejects with `NotFoundError` for a missing or another person's chat or branch. */
export async function plannedRewind(ports: Ports, input: Rewind): Promise<Plan> {
  const { ownerId, chatId, branchId, messageId, joins, activate = true } = input
  const name = input.name === undefined ? undefined : checkedName(input.name, 'branch')
  const [emptyBranchId, from] = await Promise.all([
    name === undefined && activate ? ports.reads.emptyBranchAt(chatId, ownerId, messageId) : undefined,
    ports.reads.branchState(chatId, ownerId, branchId),
  ])
  if (emptyBranchId === undefined) {
    if (from.chat !== 'own') throw new NotFoundError('chat', chatId)
    if (!from.state) throw new NotFoundError('branch', branchId)
  }
  const after = from.state?.branchName ?? ''
  return planRewind({ after, name, messageId, emptyBranchId, joins, activate, newId: ports.newId })
}

/** Goes back to a checkpoint's message, as `rewind` does. */
export const restoreCheckpoint = async (ports: Ports, input: OnBranch & { name: string }): Promise<Moved> =>
  move(ports, input, await plannedRestore(ports, input))

/** Steps of `restoreCheckpoint`. Rejects as `plannedRewind`. */
export async function plannedRestore(ports: Ports, input: OnBranch & { name: string }): Promise<Plan> {
  const { name, ...onBranch } = input
  const { chat } = await ports.reads.branchState(input.chatId, input.ownerId)
  if (chat !== 'own') throw new NotFoundError('chat', input.chatId)
  const checkpoint = await ports.store.getCheckpoint(input.chatId, name)
  if (!checkpoint) throw new NotFoundError('checkpoint', name)
  return plannedRewind(ports, { ...onBranch, messageId: checkpoint.messageId })
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
