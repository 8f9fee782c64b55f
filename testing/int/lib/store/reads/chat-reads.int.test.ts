import { expect, it } from 'vitest'
import { newId } from '@/lib/events'
import { ChatReads } from '@/lib/store/reads/chat-reads'
import { Story } from '@/testing/contracts/store/story'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

onEachDatabase('what pages read', ({ open }) => {
  const opened = openedStore(open)
  const reads = () => new ChatReads(opened.database)

  /** Given three lanes: q1 ─ a1 ─ q2 ─ a2, below q2 also a3 ─ q3, and below a3 also q4 ─ a4. */
  const forked = async () => {
    const story = await Story.begin(opened.store)
    await story.say(story.main, null, 'q1', 'a1', 'q2', 'a2')
    const second = await story.fork('q2', { name: 'second' })
    await story.say(second, 'q2', 'a3', 'q3')
    const third = await story.fork('a3', { name: 'third' })
    await story.say(third, 'a3', 'q4', 'a4')
    const read = async (options: { branch?: string; before?: number; limit: number }) => {
      const window = await reads().window(story.chatId, story.userId, options)
      return window?.messages.map(({ id, depth }) => `${id}@${depth}`)
    }
    return { story, third, read }
  }

  it('given lanes of lanes, when a window is read, then it is the end of the chain, however many lanes that takes', async () => {
    const { read, third } = await forked()

    expect(await read({ branch: 'third', limit: 1 })).toEqual(['a4@5'])
    expect(await read({ branch: 'third', limit: 3 })).toEqual(['a3@3', 'q4@4', 'a4@5'])
    expect(await read({ branch: third, limit: 4 })).toEqual(['q2@2', 'a3@3', 'q4@4', 'a4@5'])
    expect(await read({ branch: 'third', limit: 50 })).toHaveLength(6)
    expect(await read({ limit: 2 })).toEqual(['q2@2', 'a2@3'])
  })

  it('given a depth, when the window above it is read, then it ends right there, in whatever lane that is', async () => {
    const { read } = await forked()

    expect(await read({ branch: 'third', before: 5, limit: 2 })).toEqual(['a3@3', 'q4@4'])
    expect(await read({ branch: 'third', before: 3, limit: 2 })).toEqual(['a1@1', 'q2@2'])
    expect(await read({ branch: 'third', before: 1, limit: 2 })).toEqual(['q1@0'])
    expect(await read({ branch: 'third', before: 0, limit: 2 })).toEqual([])
    expect(await read({ branch: 'third', before: 99, limit: 1 })).toEqual(['a4@5'])
  })

  it('given an empty branch, someone else or an unknown name, when a window is read, then it is empty or none', async () => {
    const story = await Story.begin(opened.store)

    const empty = { branchId: story.main, messages: [] }
    expect(await reads().window(story.chatId, story.userId, { limit: 5 })).toEqual(empty)
    expect(await reads().window(story.chatId, newId(), { limit: 5 })).toBeUndefined()
    expect(await reads().window(story.chatId, story.userId, { branch: 'nope', limit: 5 })).toBeUndefined()
  })

  it('given a chat of many hundred messages in two lanes, when its graph is read, then each stands in it once, at its place', async () => {
    const story = await Story.begin(opened.store)
    const first = Array.from({ length: 700 }, (_, at) => `first ${at}`)
    // what stands between the texts of a column, in a message far down
    const second = Array.from({ length: 600 }, (_, at) => (at === 500 ? 'a \u001f b' : `second ${at}`))
    await story.say(story.main, null, ...first)
    await story.say(await story.fork('first 299', { name: 'second' }), 'first 299', ...second)

    const graph = await reads().graph(story.chatId, story.userId)

    const places = graph?.nodes.map(({ id, lane, depth }) => ({ id, lane, depth }))
    expect(places?.sort((one, other) => one.lane - other.lane || one.depth - other.depth)).toEqual([
      ...first.map((id, depth) => ({ id, lane: 0, depth })),
      ...second.map((id, at) => ({ id, lane: 1, depth: 300 + at })),
    ])
    expect(await reads().graph(story.chatId, newId())).toBeUndefined()
  })

  it.each(['\0', '\ud800'])(
    'given %j, which nothing can be called, when it is asked for, then there is nothing',
    async (bad) => {
      const story = await Story.begin(opened.store)
      const { chatId, userId } = story
      await story.say(story.main, null, '\ufffd')
      await story.fork('\ufffd', { name: '\ufffd' })

      expect(await reads().graph(bad, userId)).toBeUndefined()
      expect(await reads().delta(bad, userId, 0)).toBeUndefined()
      expect(await reads().window(chatId, userId, { branch: bad, limit: 5 })).toBeUndefined()
      expect(await reads().branchState(bad, userId)).toEqual({ chat: 'unknown' })
      expect(await reads().message(chatId, userId, bad)).toBeUndefined()
      expect(await reads().emptyBranchAt(chatId, userId, bad)).toBeUndefined()
      expect(await reads().context(chatId, bad)).toBeUndefined()
      expect((await reads().chats(bad, { sort: 'updated', limit: 5 })).chats).toEqual([])
    },
  )
})
