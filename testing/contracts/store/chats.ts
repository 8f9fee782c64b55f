import { expect, test } from 'vitest'
import { NotFoundError } from '@/lib/context'
import { newId } from '@/lib/events'
import { type GetStore, line, Story } from './story'

export function describeChats(getStore: GetStore): void {
  test('given no chat, when it is upserted, then it has an empty, active branch main, and is untouched the next time', async () => {
    const store = getStore()
    const [id, userId] = [newId(), newId()]

    const chat = await store.upsertChat({ id, userId, title: 'Trip', metadata: { source: 'web' } })

    expect(chat).toMatchObject({ id, userId, title: 'Trip', metadata: { source: 'web' } })
    expect(chat.createdAt).toBeTypeOf('number')
    expect(await store.listBranches(id)).toMatchObject([
      { name: 'main', headMessageId: null, isActive: true, parentBranchId: null, archivedAt: null },
    ])
    expect(await store.getMessages(id)).toEqual([])
    expect(await store.getChat(id)).toEqual(chat)
    const [before, events] = [await store.listBranches(id), await store.getEvents(id)]
    expect(await store.upsertChat({ id, userId, title: 'Other', metadata: { other: true } })).toEqual(chat)
    expect(await store.getChat(id)).toEqual(chat)
    expect([await store.listBranches(id), await store.getEvents(id)]).toEqual([before, events])
  })

  test('given several chats, when listed, then the latest updated comes first, with counts', async () => {
    const first = await Story.begin(getStore())
    const second = await Story.begin(getStore(), first.userId)
    const other = await Story.begin(getStore())
    await first.say(first.main, null, 'q1', 'a1')
    await first.say(await first.fork('q1'), 'q1', 'a2', 'q3')

    const mine = await first.store.listChats({ userId: first.userId })

    expect(mine.map(({ id }) => id)).toEqual([first.chatId, second.chatId])
    expect(mine[0]).toMatchObject({ messageCount: 4, branchCount: 2 })
    expect(mine[1]).toMatchObject({ messageCount: 0, branchCount: 1 })
    expect(await first.store.listChats({ userId: first.userId, limit: 1, offset: 1 })).toMatchObject([
      { id: second.chatId },
    ])
    expect((await first.store.listChats()).map(({ id }) => id)).toContain(other.chatId)
  })

  test.each([
    ['text', 'web', '"web"'],
    ['a number', 3, '3'],
    ['true', true, 1],
  ])(
    'given chats with metadata, when listed by %s, then only those with the very value come',
    async (_, value, other) => {
      const { store, userId } = await Story.begin(getStore())
      const add = async (metadata: Record<string, unknown>, owner = userId) =>
        (await store.upsertChat({ id: newId(), userId: owner, metadata })).id
      const wanted = [await add({ source: value }), await add({ source: value, more: [1] })]
      const strangers = await add({ source: value }, newId())
      await add({ source: other })
      await add({ source: [value] })
      await add({ nested: { source: value } })
      const metadata = { key: 'source', value }
      const idsOf = async (options: Parameters<typeof store.listChats>[0]) =>
        (await store.listChats(options)).map(({ id }) => id)

      expect((await idsOf({ userId, metadata })).sort()).toEqual(wanted.sort())
      expect(await idsOf({ userId, metadata, limit: 1, offset: 1 })).toHaveLength(1)
      expect(await idsOf({ metadata })).toContain(strangers)
      expect(await idsOf({ userId, metadata: { key: 'sourc', value } })).toEqual([])
    },
  )

  test('given a key or value that no metadata can hold, when chats are listed by it, then there are none', async () => {
    const { store, userId } = await Story.begin(getStore())
    await store.upsertChat({ id: newId(), userId, metadata: { '\ufffd': '\ufffd' } })

    for (const bad of ['\0', '\ud800']) {
      expect(await store.listChats({ userId, metadata: { key: bad, value: '\ufffd' } })).toEqual([])
      expect(await store.listChats({ userId, metadata: { key: '\ufffd', value: bad } })).toEqual([])
    }
  })

  test('given a chat, when its owner deletes it, then everything in it is gone and nothing else', async () => {
    const story = await Story.begin(getStore())
    const kept = await Story.begin(getStore(), story.userId)
    await story.say(story.main, null, 'q1', 'a1')
    await story.fork('q1', { activate: true })
    await story.commit([{ kind: 'save-checkpoint', checkpointId: newId(), name: 'mark', messageId: 'a1' }])
    await kept.say(kept.main, null, 'q1')

    expect(await story.store.deleteChat(story.chatId, { userId: newId() })).toBe(false)
    expect(await story.store.getMessage(story.chatId, 'a1')).toBeDefined()
    expect(await story.store.deleteChat(story.chatId, { userId: story.userId })).toBe(true)

    expect(await story.everything()).toMatchObject({
      chat: undefined,
      branches: [],
      events: [],
    })
    expect(await story.store.getMessage(story.chatId, 'a1')).toBeUndefined()
    await expect(story.store.getMessages(story.chatId)).rejects.toBeInstanceOf(NotFoundError)
    expect(await story.store.deleteChat(story.chatId)).toBe(false)
    expect(await kept.chain('q1')).toEqual(['q1'])
  })

  test('given a chat of someone else, when one writes as owner, then it is not found', async () => {
    const story = await Story.begin(getStore())
    const rename = { kind: 'update-chat', title: 'Mine now' } as const

    await story.refuses(() => story.commit([rename], { ownerId: newId() }), NotFoundError)
    for (const chatId of [story.chatId, newId()]) {
      const write = story.commit([rename], { ownerId: newId(), chatId })
      await expect(write).rejects.toEqual(new NotFoundError('chat', chatId))
    }
    await story.commit([rename], { ownerId: story.userId })

    expect((await story.store.getChat(story.chatId))?.title).toBe('Mine now')
  })

  test('given a change that creates, when the chat exists, then it is used as it is', async () => {
    const story = await Story.begin(getStore())
    const chatId = newId()
    const create = { userId: story.userId, branchId: newId(), branchName: 'first' }
    const steps = [
      { kind: 'append' as const, branchId: create.branchId, expectedHead: null, messages: [line('q1')] },
    ]

    const made = await story.commit(steps, { chatId, create })
    const again = await story.commit([{ kind: 'update-chat', title: 'T' }], {
      chatId,
      create: { ...create, branchId: newId() },
    })

    expect([made.created, again.created]).toEqual([true, false])
    expect(await story.store.listBranches(chatId)).toMatchObject([{ name: 'first', headMessageId: 'q1' }])
  })
}
