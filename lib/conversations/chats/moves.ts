import { type Change, NotFoundError, type Step } from '@/lib/context'
import type { BranchId, ChatId, MessageId, UserId } from '@/lib/events'
import type { GraphDelta, Moved } from '@/lib/protocol'
import { deltaOf } from '../delta-of'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'
import { checkText } from '../turns/user-message'

/** Whose chat a move is made in. */
interface InChat {
  ownerId: UserId
  chatId: ChatId
}

async function commit(ports: Ports, { ownerId, chatId }: InChat, steps: Step[]): Promise<GraphDelta> {
  const change: Change = { chatId, ownerId, at: ports.clock(), steps }
  return deltaOf(change, await ports.store.commit(change))
}

/**
 * Goes back to a message: opens a branch there and switches to it. A branch that stands there already and has
 * nothing of its own is reused, so that looking around leaves no litter.
 */
export async function rewind(
  ports: Ports,
  input: InChat & { branchId: BranchId; messageId: MessageId },
): Promise<Moved> {
  const { ownerId, chatId, messageId } = input
  const [empty, from] = await Promise.all([
    ports.reads.emptyBranchAt(chatId, ownerId, messageId),
    ports.reads.branchState(chatId, ownerId, input.branchId),
  ])
  if (empty) return switchBranch(ports, { ownerId, chatId, branchId: empty })
  if (from.chat !== 'own') throw new NotFoundError('chat', chatId)
  if (!from.state) throw new NotFoundError('branch', input.branchId)
  const branchId = ports.newId()
  const delta = await commit(ports, input, [
    {
      kind: 'open-branch',
      branchId,
      after: from.state.branchName,
      at: messageId,
      fork: { messageId },
      activate: true,
    },
  ])
  return { delta, branchId }
}

/** Goes back to a checkpoint's message, as `rewind` does. */
export async function restoreCheckpoint(
  ports: Ports,
  input: InChat & { branchId: BranchId; name: string },
): Promise<Moved> {
  const { chat } = await ports.reads.branchState(input.chatId, input.ownerId)
  if (chat !== 'own') throw new NotFoundError('chat', input.chatId)
  const checkpoint = await ports.store.getCheckpoint(input.chatId, input.name)
  if (!checkpoint) throw new NotFoundError('checkpoint', input.name)
  return rewind(ports, { ...input, messageId: checkpoint.messageId })
}

/** Makes a branch the one the chat opens on. */
export async function switchBranch(ports: Ports, input: InChat & { branchId: BranchId }): Promise<Moved> {
  const delta = await commit(ports, input, [{ kind: 'switch-branch', branchId: input.branchId }])
  return { delta, branchId: input.branchId }
}

/** Bookmarks a message under a name; the same name again moves the bookmark. */
export async function saveCheckpoint(
  ports: Ports,
  input: InChat & { messageId: MessageId; name: string },
): Promise<GraphDelta> {
  const name = nameOf(input.name, 'checkpoint')
  return commit(ports, input, [
    { kind: 'save-checkpoint', checkpointId: ports.newId(), name, messageId: input.messageId },
  ])
}

export async function removeCheckpoint(ports: Ports, input: InChat & { name: string }): Promise<GraphDelta> {
  return commit(ports, input, [{ kind: 'remove-checkpoint', name: input.name }])
}

export async function renameBranch(
  ports: Ports,
  input: InChat & { branchId: BranchId; name: string },
): Promise<GraphDelta> {
  return commit(ports, input, [
    { kind: 'rename-branch', branchId: input.branchId, name: nameOf(input.name, 'branch') },
  ])
}

/** Hides a branch; with `switchTo`, the chat opens there from now on. Nothing on it is lost. */
export async function archiveBranch(
  ports: Ports,
  input: InChat & { branchId: BranchId; switchTo?: BranchId },
): Promise<GraphDelta> {
  return commit(ports, input, [
    ...(input.switchTo ? [{ kind: 'switch-branch' as const, branchId: input.switchTo }] : []),
    { kind: 'archive-branch', branchId: input.branchId },
  ])
}

export async function unarchiveBranch(
  ports: Ports,
  input: InChat & { branchId: BranchId },
): Promise<GraphDelta> {
  return commit(ports, input, [{ kind: 'unarchive-branch', branchId: input.branchId }])
}

export async function renameChat(ports: Ports, input: InChat & { title: string }): Promise<GraphDelta> {
  return commit(ports, input, [{ kind: 'update-chat', title: nameOf(input.title, 'chat') }])
}

/** Deletes a chat with everything in it. The one thing here that cannot be undone. */
export async function deleteChat(ports: Ports, { ownerId, chatId }: InChat): Promise<void> {
  if (!(await ports.store.deleteChat(chatId, { userId: ownerId }))) throw new NotFoundError('chat', chatId)
  ports.live.abortChat(chatId)
}

/** A name a person chose, or `InvalidRequestError` with what is wrong with it. */
export function nameOf(name: string, what: string): string {
  const trimmed = name.trim()
  if (trimmed === '') throw new InvalidRequestError(`Give the ${what} a name.`, 'empty_name')
  if (trimmed.length > 200) {
    throw new InvalidRequestError(`The name of a ${what} can have 200 characters at most.`, 'name_too_long')
  }
  checkText(trimmed)
  return trimmed
}
