import type { ThreadHistoryAdapter, ThreadMessage } from '@assistant-ui/react'
import type { ContextStore } from '@ramify/context'

/**
 * The history of a thread of assistant-ui on the engine: all of its branches are kept, and the thread opens on the one that
 * was written last.
 *
 * @example useLocalRuntime(model, { adapters: { history: ramifyHistory(store, { chatId: 'trip', userId: 'ada' }) } })
 */
export function ramifyHistory(
  store: ContextStore,
  { chatId, userId }: { chatId: string; userId: string },
): ThreadHistoryAdapter {
  return {
    async load() {
      const { branch } = await store.openChat({ id: chatId, userId })
      const messages = await store.getMessages(chatId)
      return {
        headId: branch.headMessageId,
        messages: messages.map(({ parentId, data }) => ({ parentId, message: revive(data) })),
      }
    },

    async append({ parentId, message }) {
      const { id, role, createdAt } = message
      await store.openChat({ id: chatId, userId })
      await store.addMessage(chatId, {
        ...{ id, parentId, name: role, createdAt: createdAt.getTime() },
        data: { ...message, parts: message.content },
      })
      const branches = await store.listBranches(chatId)
      const branch = branches.find(({ headMessageId }) => headMessageId === id)
      if (branch && !branch.isActive) await store.setActiveBranch(chatId, branch.id)
    },
  }
}

/** A message as it was, its date read again. `parts` is there for the previews and the search of the store. */
function revive(data: unknown): ThreadMessage {
  const { parts: _, ...message } = data as ThreadMessage & { parts: unknown }
  return { ...message, createdAt: new Date(message.createdAt) }
}
