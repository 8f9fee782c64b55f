import type { Step } from '@/lib/context'
import { newId } from '@/lib/events'
import type { DrizzleContextStore } from '@/lib/store'

/**
 * A chat of a person that a test writes to through the store, without a model; `main` is its first branch.
 *
 * @param given.called the id by which its owner calls it, where that is another than its key
 */
export async function storedChat(
  store: DrizzleContextStore,
  ownerId: string,
  given: { chatId?: string; called?: string; title?: string } = {},
) {
  const { chatId = newId(), called = chatId, title = 'Three days' } = given
  const main = newId()
  const create = { userId: ownerId, branchId: main, title }
  const begun = { chatId, ownerId, at: Date.now(), create, steps: [] }
  await (called === chatId ? store.commit(begun) : store.commitCalled(begun, called))

  const commit = (steps: Step[]) => store.commit({ chatId, ownerId, at: Date.now(), steps })
  return {
    chatId,
    called,
    ownerId,
    main,
    commit,
    /** Says texts, or parts, by turns below the head of a branch, the first one as the person. Returns the ids. */
    async say(branchId: string, expectedHead: string | null, said: (string | object[])[], more: object = {}) {
      const messages = said.map((words, at) => {
        const text = typeof words === 'string' ? words : ''
        const id = `${text.replace(/\W+/g, '-')}-${newId()}`
        const role = at % 2 === 0 ? 'user' : 'assistant'
        const parts = typeof words === 'string' ? [{ type: 'text', text }] : words
        const data = { id, role, parts, metadata: {}, ...more }
        return { id, name: role, type: 'message', data, preview: text, createdAt: Date.now() }
      })
      await commit([{ kind: 'append', branchId, expectedHead, messages }])
      return messages.map(({ id }) => id)
    },
    /** Opens a branch at a message, beside the one that is in view. */
    async branch(name: string, at: string) {
      const branchId = newId()
      const step = { kind: 'open-branch', branchId, name, after: name, at, activate: false } as const
      await commit([{ ...step, fork: { messageId: at } }])
      return branchId
    },
  }
}
