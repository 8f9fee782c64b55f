import { expect, it } from 'vitest'
import { openPostgres } from '@/lib/db/open-postgres'
import { checkDatabase } from '@/lib/store/admin/check-database'
import { followLog, resetFollower } from '@/lib/store/followers/follow-log'
import { titlesFollower } from '@/lib/store/followers/titles'
import { line, Story } from '@/testing/contracts/store/story'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

onEachDatabase('titles given after the first message', ({ name, open }) => {
  const opened = openedStore(open)

  const said = (id: string, text: string, role = 'user') =>
    line(id, { name: role, data: { id, role, parts: [{ type: 'text', text }] } })
  const append = (story: Story, below: string | null, ...messages: ReturnType<typeof line>[]) =>
    story.append(story.main, below, ...messages)
  /** @returns the chats that were given a title */
  const follow = async () => {
    const done = []
    do done.push(await followLog(opened.database, titlesFollower))
    while (done.at(-1)?.more)
    return done.flatMap(({ chats }) => chats)
  }
  const titleOf = async ({ store, chatId }: Story) => (await store.getChat(chatId))?.title
  const renamings = async ({ store, chatId }: Story) =>
    (await store.getEvents(chatId)).flatMap((event) =>
      event.type === 'ChatRenamed' ? [event.payload.title] : [],
    )

  it('given a chat without a title, when it has a question, then it is called after it, and the log says so', async () => {
    const story = await Story.begin(opened.store)
    await append(story, null, said('s1', 'Be kind', 'system'), said('q1', ' Three  days\nin Lisbon '))
    await append(story, 'q1', said('a1', 'Gladly', 'assistant'), said('q2', 'And Porto?'))
    const before = await story.store.getChat(story.chatId)

    expect(await follow()).toContain(story.chatId)

    expect(await titleOf(story)).toBe('Three days in Lisbon')
    expect((await story.store.getEvents(story.chatId)).at(-1)).toMatchObject({
      type: 'ChatRenamed',
      streamId: story.chatId,
      payload: { title: 'Three days in Lisbon' },
    })
    // its place in a list is that of its last message
    expect((await story.store.getChat(story.chatId))?.updatedAt).toBe(before?.updatedAt)
    expect(await checkDatabase(opened.database, { chatId: story.chatId })).toEqual([])
  })

  it('given a first message without words, then the first one with some counts; without any there is no title', async () => {
    const story = await Story.begin(opened.store)
    await append(story, null, said('q1', ' \n '))
    await follow()
    expect(await titleOf(story)).toBeUndefined()

    await append(story, 'q1', said('q2', 'x'.repeat(5000)))
    await follow()
    expect(await titleOf(story)).toBe(`${'x'.repeat(60)}…`)
  })

  it('given a chat that a person has named, then the name stays, whatever is followed again', async () => {
    const story = await Story.begin(opened.store)
    await story.store.updateChat(story.chatId, { title: 'Mine' })
    const other = await Story.begin(opened.store)
    for (const each of [story, other]) await append(each, null, said('q1', 'Lisbon'))
    await follow()
    await other.store.updateChat(other.chatId, { title: 'Mine too' })

    await resetFollower(opened.database, titlesFollower)
    expect(await follow()).toEqual([])

    expect(await renamings(story)).toEqual(['Mine'])
    expect(await renamings(other)).toEqual(['Lisbon', 'Mine too'])
  })

  it('given a chat that is named between the look at it and the change, then that name stays', async () => {
    const story = await Story.begin(opened.store)
    await append(story, null, said('q1', 'Lisbon'))
    const named = await followLog(opened.database, {
      ...titlesFollower,
      effect: async (events, ask) => {
        const effect = await titlesFollower.effect(events, ask)
        await story.store.updateChat(story.chatId, { title: 'Mine' })
        return effect
      },
    })
    expect(named.chats).toEqual([])
    expect(await renamings(story)).toEqual(['Mine'])
  })

  it.runIf(name === 'postgres')(
    'given many chats whose owners name them meanwhile, then no name is lost, and no writer waits for ever',
    async () => {
      const stories = await Promise.all(Array.from({ length: 40 }, () => Story.begin(opened.store)))
      await Promise.all(stories.map((story) => append(story, null, said('q1', 'Lisbon'))))
      const beside = await openPostgres({ url: opened.url ?? '', max: 2 })
      const even = stories.filter((_, index) => index % 2 === 0)
      try {
        await Promise.all([
          follow(),
          followLog(beside, titlesFollower),
          ...even.map((story) => story.store.updateChat(story.chatId, { title: 'Mine' })),
        ])
        await follow()
      } finally {
        await beside.close()
      }
      for (const story of stories) {
        const names = await renamings(story)
        // the owner's comes before the automatic one, which then is not given, or after it
        if (even.includes(story)) expect([['Mine'], ['Lisbon', 'Mine']]).toContainEqual(names)
        else expect(names).toEqual(['Lisbon'])
      }
      expect(await checkDatabase(opened.database)).toEqual([])
    },
  )
})
