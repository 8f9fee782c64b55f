import { expect, test } from 'vitest'
import { InvalidDataError, NotFoundError } from '@/lib/context'
import { newId } from '@/lib/events'
import { type GetStore, Story } from './story'

/** Postgres takes no NUL, and on its way there a lone surrogate becomes U+FFFD, which is a name like any other. */
const impossible = [
  ['NUL', '\0'],
  ['a lone surrogate', '\ud800'],
] as const
const unknown = [...impossible, ['an id of nothing', 'x']] as const

export function describeImpossibleIds(getStore: GetStore): void {
  /** Given a chat in which a message, a branch and a checkpoint are called by a U+FFFD. */
  const chatOfLookalikes = async () => {
    const story = await Story.begin(getStore(), `${newId()}\ufffd`)
    await story.say(story.main, null, 'q1', '\ufffd')
    await story.fork('q1', { name: '\ufffd' })
    await story.commit([{ kind: 'save-checkpoint', checkpointId: newId(), name: '\ufffd', messageId: 'q1' }])
    return story
  }

  test.each(unknown)(
    'given %s, when something in a chat is asked for by it, then it is not found',
    async (_, bad) => {
      const { store, chatId, userId } = await chatOfLookalikes()
      const other = await Story.begin(store, userId)

      expect(await store.getMessage(chatId, bad)).toBeUndefined()
      expect(await store.getMessageChain(chatId, bad)).toEqual([])
      expect(await store.countChain(chatId, bad)).toBe(0)
      expect(await store.hasChildren(chatId, bad)).toBe(false)
      expect(await store.isMessageElsewhere(other.chatId, bad)).toBe(false)
      expect(await store.getBranch(chatId, bad)).toBeUndefined()
      expect(await store.getBranchChain(chatId, bad)).toBeUndefined()
      expect(await store.getCheckpoint(chatId, bad)).toBeUndefined()
      expect(await store.getEvents(chatId, { streamId: bad })).toEqual([])
    },
  )

  test.each(unknown)('given %s, when a chat is asked for by it, then there is none', async (_, bad) => {
    const { store, chatId, userId } = await chatOfLookalikes()
    const unknown = `${chatId}${bad}`

    expect(await store.getChat(unknown)).toBeUndefined()
    expect(await store.getActiveBranch(unknown)).toBeUndefined()
    expect(await store.getBranchChain(unknown)).toBeUndefined()
    await expect(store.getMessages(unknown)).rejects.toBeInstanceOf(NotFoundError)
    expect(await store.getMessageChain(unknown, 'q1')).toEqual([])
    expect(await store.listBranches(unknown)).toEqual([])
    expect(await store.listCheckpoints(unknown)).toEqual([])
    expect(await store.getEvents(unknown)).toEqual([])
    expect(await store.getGraph(unknown)).toEqual({
      chatId: unknown,
      nodes: [],
      branches: [],
      checkpoints: [],
    })
    expect(await store.deleteChat(unknown)).toBe(false)
    const stranger = userId.replace('\ufffd', bad)
    expect(await store.listChats({ userId: stranger })).toEqual([])
    expect(await store.deleteChat(chatId, { userId: stranger })).toBe(false)
    expect(await store.getChat(chatId)).toBeDefined()
  })

  test.each(impossible)('given %s, when a chat is made with it, then it is refused', async (_, bad) => {
    const store = getStore()
    const id = newId()

    await expect(store.upsertChat({ id: bad, userId: newId() })).rejects.toBeInstanceOf(InvalidDataError)
    await expect(store.upsertChat({ id, userId: bad })).rejects.toBeInstanceOf(InvalidDataError)
    expect(await store.getChat(id)).toBeUndefined()
  })
}
