import { describe, expect, it, onTestFinished } from 'vitest'
import { HeadConflictError, InvalidDataError, NotFoundError, QuotaExceededError } from '@/lib/context'
import { newId } from '@/lib/events'
import { DrizzleContextStore, type QuotaLimits } from '@/lib/store'
import { line, Story } from '@/testing/contracts/store/story'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

onEachDatabase('changes of a chat that come at once', ({ open }) => {
  const opened = openedStore(open)

  /** A store whose statements that write are counted and may be held up. */
  const watchedStore = (limits?: QuotaLimits) => {
    const { database } = opened
    const writes: string[] = []
    const statements: string[] = []
    const gate = { open: Promise.resolve() }
    const query: typeof database.query = async (text, ...rest) => {
      statements.push(text.replace(/^select (\w+).*/s, '$1'))
      if (text.includes('append_changes')) {
        writes.push(text)
        await gate.open
      }
      return database.query(text, ...rest)
    }
    const store = new DrizzleContextStore({ ...database, query }, undefined, limits && { limits })
    return { store, writes, statements, gate }
  }

  /** A branch that opens below a message, with words on it. */
  const branching = (story: Story, below: string, ...ids: string[]) => {
    const branchId = newId()
    return story.commit([
      {
        kind: 'open-branch',
        branchId,
        after: 'main',
        at: below,
        fork: { messageId: below },
        activate: false,
      },
      {
        kind: 'append',
        branchId,
        expectedHead: below,
        messages: ids.map((id) => line(id)),
      },
    ])
  }

  it('given a write that is under way, when more come, then they are written together, in order, each with what it did', async () => {
    const { store, writes } = watchedStore()
    const story = await Story.saying(store, 'q1', 'a1')
    writes.length = 0

    const done = await Promise.all(
      Array.from({ length: 20 }, (_, at) => branching(story, 'a1', `q-${at}`, `a-${at}`)),
    )

    expect(writes).toHaveLength(2)
    expect(
      done.map(({ branches }) => branches.map(({ name, headMessageId }) => [name, headMessageId])),
    ).toEqual(Array.from({ length: 20 }, (_, at) => [[`main-v${at + 2}`, `a-${at}`]]))
    expect(done.map(({ seq }) => seq)).toEqual(done.map(({ seq }) => seq).toSorted((one, two) => one - two))
    expect(await story.chain('a-19')).toEqual(['q1', 'a1', 'q-19', 'a-19'])
    const events = await store.getEvents(story.chatId)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
  })

  it('given two branches that exchange their names, when it is one change, then each has the name of the other', async () => {
    const { store } = watchedStore()
    const story = await Story.saying(store, 'q1', 'a1')
    const { branches } = await branching(story, 'a1', 'q2')
    const other = branches[0]?.id ?? ''

    await story.commit([
      { kind: 'rename-branch', branchId: story.main, name: 'aside' },
      { kind: 'rename-branch', branchId: other, name: 'main' },
      { kind: 'rename-branch', branchId: story.main, name: 'main-v2' },
    ])

    const named = await store.listBranches(story.chatId)
    expect(Object.fromEntries(named.map(({ id, name }) => [id, name]))).toEqual({
      [story.main]: 'main-v2',
      [other]: 'main',
    })
  })

  it('given changes of which some are refused, then each is refused in its own words, leaves nothing, and the others are written', async () => {
    const { store } = watchedStore()
    const story = await Story.saying(store, 'q1', 'a1')
    const unfit = 'a\0b'

    const settled = await Promise.allSettled([
      branching(story, 'a1', 'q2'),
      branching(story, 'a1', 'q3'),
      story.say(story.main, 'q1', 'stale'),
      story.say(newId(), 'a1', 'nowhere'),
      branching(story, 'a1', 'q4'),
      branching(story, 'missing', 'q5'),
      branching(story, 'a1', 'q3'),
      branching(story, 'a1', 'q6', unfit),
      branching(story, 'a1', 'q7'),
    ])

    expect(settled.map((each) => (each.status === 'fulfilled' ? 'written' : each.reason.name))).toEqual([
      ...['written', 'written', HeadConflictError.name, NotFoundError.name, 'written', NotFoundError.name],
      ...['MessageExistsError', InvalidDataError.name, 'written'],
    ])
    const messages = await store.getMessages(story.chatId)
    expect(messages.map(({ id }) => id).toSorted()).toEqual(['a1', 'q1', 'q2', 'q3', 'q4', 'q7'])
    const branches = await store.listBranches(story.chatId)
    expect(branches.map(({ name }) => name).toSorted()).toEqual([
      ...['main', 'main-v2', 'main-v3', 'main-v4', 'main-v5'],
    ])
  })

  it('given a person with messages left for the day, when more come at once, then as many are written, and the rest is refused', async () => {
    const { store } = watchedStore({ messages: 6 })
    const story = await Story.saying(store, 'q1', 'a1')

    const settled = await Promise.allSettled(
      Array.from({ length: 12 }, (_, at) => branching(story, 'a1', `q-${at}`)),
    )

    const refused = settled.filter((each) => each.status === 'rejected')
    expect(settled.map(({ status }) => status === 'fulfilled')).toEqual([
      ...Array.from({ length: 5 }, () => true),
      ...Array.from({ length: 7 }, () => false),
    ])
    for (const { reason } of refused) expect(reason).toBeInstanceOf(QuotaExceededError)
  })

  it('given quotas, then changes that are written together take as much as one by one', async () => {
    const bytesOf = async (write: (story: Story) => Promise<unknown>) => {
      const { store } = watchedStore({ bytes: 1e9 })
      const story = await Story.saying(store, 'q1', 'a1')
      await write(story)
      const [row] = await opened.database.query<{ bytes: number }>(
        'select bytes::int from quota_person where user_id = $1',
        [story.userId],
      )
      return row?.bytes
    }
    const ids = Array.from({ length: 10 }, (_, at) => `q-${at}`)
    const together = await bytesOf((story) => Promise.all(ids.map((id) => branching(story, 'a1', id))))
    const oneByOne = await bytesOf(async (story) => {
      for (const id of ids) await branching(story, 'a1', id)
    })
    expect(together).toBe(oneByOne)
  })

  it('given a chat that this process wrote to last, then a change is one statement; where another one wrote, it is read and decided again', async () => {
    const { store, statements } = watchedStore()
    const [mine, theirs] = [store, new DrizzleContextStore({ ...opened.database })]
    const costs = async (write: () => Promise<unknown>) => {
      statements.length = 0
      await write()
      return [...statements]
    }
    const [chatId, branchId, userId] = [newId(), newId(), await opened.person()]
    const begin = () =>
      mine.commit({
        chatId,
        at: 1,
        create: { userId, branchId },
        steps: [{ kind: 'append', branchId, expectedHead: null, messages: [line('q1')] }],
      })
    const say = (by: DrizzleContextStore, below: string, id: string) =>
      by.commit({
        chatId,
        at: 2,
        steps: [{ kind: 'append', branchId, expectedHead: below, messages: [line(id)] }],
      })

    expect(await costs(begin)).toEqual(['append_changes'])
    expect(await costs(() => say(mine, 'q1', 'a1'))).toEqual(['append_changes'])
    await say(theirs, 'a1', 'q2')
    expect(await costs(() => say(mine, 'q2', 'a2'))).toEqual(['read_slice', 'append_changes'])
    await say(theirs, 'a2', 'q3')
    const fork = () =>
      mine.commit({
        chatId,
        at: 3,
        steps: [
          {
            kind: 'open-branch',
            branchId: newId(),
            after: 'main',
            at: 'a2',
            fork: { messageId: 'a2' },
            activate: false,
          },
        ],
      })
    // what it opens below is known; that the chat has gone on, the database says
    expect(await costs(fork)).toContain('append_changes')
    expect((await mine.getMessages(chatId)).map(({ id }) => id)).toEqual(['q1', 'a1', 'q2', 'a2', 'q3'])
  })

  describe('a line of them', () => {
    it('given more than are written together, then another chat is written to meanwhile', async () => {
      const { store, writes, gate } = watchedStore()
      const [busy, quiet] = [await Story.saying(store, 'q1', 'a1'), await Story.saying(store, 'q1', 'a1')]
      writes.length = 0
      const { promise, resolve } = Promise.withResolvers<void>()
      onTestFinished(() => resolve())
      gate.open = promise
      const many = Array.from({ length: 70 }, (_, at) => branching(busy, 'a1', `q-${at}`))
      gate.open = Promise.resolve()
      await branching(quiet, 'a1', 'q2')
      resolve()
      await Promise.all(many)
      // the first, that of the other chat, and 69 by 32
      expect(writes).toHaveLength(5)
    })

    it.each([undefined, 'EPIPE'])(
      'given a database that fails in the middle with %s, then each one hears of it, nothing is tried again, and the chat is written to again',
      async (code) => {
        const { store, writes, gate } = watchedStore()
        const story = await Story.saying(store, 'q1', 'a1')
        writes.length = 0
        gate.open = Promise.reject(Object.assign(new Error('the connection broke'), { code }))
        const many = await Promise.allSettled(
          Array.from({ length: 5 }, (_, at) => branching(story, 'a1', `q-${at}`)),
        )
        expect(many.map((each) => each.status === 'rejected' && each.reason.message)).toEqual(
          Array.from({ length: 5 }, () => 'the connection broke'),
        )
        // the first alone, and the others together
        expect(writes).toHaveLength(2)
        gate.open = Promise.resolve()
        await branching(story, 'a1', 'q-0')
        expect(await story.chain('q-0')).toEqual(['q1', 'a1', 'q-0'])
      },
    )
  })
})
