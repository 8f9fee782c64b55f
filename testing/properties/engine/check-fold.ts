import { expect } from 'vitest'
import type { ContextStore } from '@/lib/context'
import { type ChatRefs, type ChatState, fold, noChat } from '@/lib/events'

/** Then the refs of a chat are what its log tells, folded on top of `before`; the fold, or undefined without a chat. */
export async function checkFold(
  store: ContextStore,
  chatId: string,
  before: ChatState = noChat(chatId),
): Promise<ChatState | undefined> {
  const chat = await store.getChat(chatId)
  if (!chat) return undefined
  const events = await store.getEvents(chatId, { after: before.seq })
  const state = fold(before, events)
  const branches = await store.listBranches(chatId)
  const checkpoints = await store.listCheckpoints(chatId)
  expect(refsOf(state)).toEqual({
    title: chat.title ?? null,
    metadata: chat.metadata,
    createdAt: chat.createdAt,
    active: branches.find(({ isActive }) => isActive)?.id,
    branches: Object.fromEntries(
      branches.map(({ id, name, title, headMessageId, contextId, createdAt, archivedAt, ...from }) => [
        id,
        {
          name,
          title,
          headMessageId,
          contextId,
          createdAt,
          archivedAt,
          parent: from.parentBranchId,
          from: from.fromEventNumber,
        },
      ]),
    ),
    checkpoints: Object.fromEntries(
      checkpoints.map(({ id, name, messageId, createdAt }) => [name, { id, messageId, createdAt }]),
    ),
  })
  // some changes log nothing, such as a reply that is asked for, and touch the chat all the same
  expect(state.updatedAt).toBeLessThanOrEqual(chat.updatedAt)
  return state
}

const refsOf = ({ title, metadata, createdAt, activeThreadId, threads, checkpoints }: ChatRefs) => ({
  title,
  metadata,
  createdAt,
  active: activeThreadId,
  branches: Object.fromEntries(
    [...threads].map(([id, { name, title, headMessageId, contextId, createdAt, archivedAt, ...from }]) => [
      id,
      {
        name,
        title,
        headMessageId,
        contextId,
        createdAt,
        archivedAt,
        parent: from.parentThreadId,
        from: from.fromEventNumber,
      },
    ]),
  ),
  checkpoints: Object.fromEntries(
    [...checkpoints].map(([name, { id, messageId, savedAt }]) => [
      name,
      { id, messageId, createdAt: savedAt },
    ]),
  ),
})
