import { expect, it } from 'vitest'
import { QueryAbandonedError } from '@/lib/db'
import { newId } from '@/lib/events'
import { ChatReads } from '@/lib/store/reads/chat-reads'
import { Story } from '@/testing/contracts/store/story'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

onEachDatabase('searches at the same time', ({ open }) => {
  const opened = openedStore(open)

  /** Reads whose statements wait until they are let go, and how many of them are on their way. */
  const held = () => {
    const { database } = opened.store
    const gate = Promise.withResolvers<void>()
    const asked: string[] = []
    let most = 0
    let now = 0
    const query: typeof database.query = async <Row>(
      ...[text, params, options]: Parameters<typeof database.query>
    ) => {
      asked.push(String(params?.[0]))
      now += 1
      most = Math.max(most, now)
      await gate.promise
      try {
        return await database.query<Row>(text, params, options)
      } finally {
        now -= 1
      }
    }
    return {
      reads: new ChatReads({ kind: database.kind, query }),
      asked,
      most: () => most,
      letGo: () => gate.resolve(),
    }
  }

  it('given many persons who search at once, when all are answered, then three at most were asked for at a time, of the embedded database one', async () => {
    const story = await Story.begin(opened.store, newId())
    await story.say(story.main, null, 'q1')
    const { reads, most, letGo } = held()
    const searches = Array.from({ length: 12 }, (_, n) =>
      reads.search(n % 2 ? story.userId : `person ${n}`, 'text', { limit: 5 }),
    )
    letGo()
    const pages = await Promise.all(searches)
    expect(most()).toBe(opened.database.kind === 'pglite' ? 1 : 3)
    expect(pages.map((page) => page?.hits.length)).toEqual(pages.map((_, n) => n % 2))
  })

  it('given searches of clients that have left, when their turn comes, then the database is not asked', async () => {
    const { reads, asked, letGo } = held()
    const ada = newId()
    const left = new AbortController()
    const first = reads.search(ada, 'text', { limit: 5 })
    const abandoned = Array.from({ length: 9 }, () =>
      reads.until(left.signal).search(ada, 'text', { limit: 5 }),
    )
    const refused = Promise.all(
      abandoned.map((one) => expect(one).rejects.toBeInstanceOf(QueryAbandonedError)),
    )
    left.abort()
    await refused
    expect(asked).toHaveLength(1)
    letGo()
    await first
    // its words, its hits: what one search asks for
    expect(asked).toHaveLength(2)
  })

  it('given a client that has left, when any of its reads is asked for, then it is told so, and others read on', async () => {
    const story = await Story.begin(opened.store, newId())
    const reads = new ChatReads(opened.database)
    const gone = reads.until(AbortSignal.abort())
    await expect(gone.graph(story.chatId, story.userId)).rejects.toBeInstanceOf(QueryAbandonedError)
    await expect(gone.history(story.chatId, story.userId)).rejects.toBeInstanceOf(QueryAbandonedError)
    expect(await reads.graph(story.chatId, story.userId)).toMatchObject({ chatId: story.chatId })
  })
})
