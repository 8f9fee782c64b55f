import { expect, it } from 'vitest'
import { Story } from '@/testing/contracts/store/story'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

// The contract of searching is tested for every store (testing/contracts/store/search.ts); here is what a store that
// indexes after it has stored adds to it.

onEachDatabase('search follows the log', ({ open }) => {
  const opened = openedStore(open)

  const indexed = (chatId: string) =>
    opened.database.query<{ id: string }>(
      `select m.id from message_search s join messages m using (chat_id, lane, depth) where chat_id = $1 order by m.id`,
      [chatId],
    )
  const begin = async (...ids: string[]) => {
    const story = await Story.begin(opened.store)
    let head: string | null = null
    for (const id of ids) {
      await story.say(story.main, head, id)
      head = id
    }
    return story
  }

  it('given stored messages, when the store is asked to catch up, then each is indexed once, and a second time nothing', async () => {
    const story = await begin('q1', 'a1')
    expect(await indexed(story.chatId)).toEqual([])

    expect(await opened.store.indexPending()).toBe(2)

    expect(await indexed(story.chatId)).toEqual([{ id: 'a1' }, { id: 'q1' }])
    expect(await opened.store.indexPending()).toBe(0)
  })

  it('given twenty searches at once while messages arrive, then none fails and each message is indexed once', async () => {
    const story = await begin('q1', 'a1', 'q2')
    const search = () => opened.store.searchMessages(story.chatId, 'text')
    const say = async () => {
      await story.say(story.main, 'q2', 'a2')
      await story.say(story.main, 'a2', 'q3')
    }

    await Promise.all([...Array.from({ length: 10 }, search), say(), ...Array.from({ length: 10 }, search)])
    await search()

    expect((await indexed(story.chatId)).map(({ id }) => id)).toEqual(['a1', 'a2', 'q1', 'q2', 'q3'])
  })
})
