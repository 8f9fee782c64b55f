import { expect, it } from 'vitest'
import { newId } from '@/lib/events'
import { ChatReads } from '@/lib/store/reads/chat-reads'
import type { SearchOptions, StoredPage } from '@/lib/store/search/message-search'
import { line, Story } from '@/testing/contracts/store/story'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

onEachDatabase('searching all of an owner’s chats', ({ open }) => {
  const opened = openedStore(open)
  const reads = () => new ChatReads(opened.database)

  const said = (id: string, text: string, name = id.startsWith('a') ? 'assistant' : 'user') =>
    line(id, { name, data: { id, role: name, parts: [{ type: 'text', text }] }, preview: text.slice(0, 160) })

  /** Given a chat of this owner, in which these things are said one after the other. */
  const chat = async (userId: string, messages: Record<string, string>) => {
    const story = await Story.begin(opened.store, userId)
    const lines = Object.entries(messages).map(([id, text]) => said(id, text))
    await story.append(story.main, null, ...lines)
    return story
  }
  const search = async (ownerId: string, query: string, options: Partial<SearchOptions> = {}) => {
    const page = await reads().search(ownerId, query, { limit: 20, ...options })
    if (!page) throw new Error('there is no such chat')
    return page
  }
  const ids = ({ hits }: StoredPage) => hits.map(({ messageId }) => messageId)

  it('given several chats of several people, when one searches, then only their own are found, in every chat', async () => {
    const [ada, bob] = [newId(), newId()]
    await chat(ada, { q1: 'Where is the Colosseum?' })
    await chat(ada, { q2: 'colosseum tickets', a2: 'Buy them online.' })
    await chat(bob, { q3: 'The Colosseum is mine' })

    expect(ids(await search(ada, 'colosseum')).sort()).toEqual(['q1', 'q2'])
    expect(ids(await search(bob, 'colosseum'))).toEqual(['q3'])
    expect(ids(await search(newId(), 'colosseum'))).toEqual([])
  })

  it('given a message that has just been said, when it is searched at once, then it is found with all there is to know', async () => {
    const ada = newId()
    const story = await chat(ada, { q1: 'We begin.' })
    await search(ada, 'begin')
    await story.commit([{ kind: 'update-chat', title: 'Lisbon' }])
    await story.append(story.main, 'q1', said('a1', 'An azulejo & a <b>tile'))

    const { hits, more, partial } = await search(ada, 'azu')

    expect({ more, partial }).toEqual({ more: false, partial: false })
    expect(hits).toEqual([
      {
        chatId: story.chatId,
        chatTitle: 'Lisbon',
        chatArchived: false,
        messageId: 'a1',
        role: 'assistant',
        createdAt: expect.any(Number),
        rank: expect.any(Number),
        branch: {
          id: story.main,
          name: 'main',
          title: null,
          lane: 0,
          count: 2,
          first: { role: 'user', preview: 'We begin.', place: 1 },
        },
        snippet: 'An <mark>azulejo</mark> &amp; a &lt;b&gt;tile',
      },
    ])
    expect(hits[0]?.createdAt).toBeGreaterThan(1_700_000_000_000)
  })

  it('given matches of different weight, when searched, then the best comes first, and of equals the latest', async () => {
    const ada = newId()
    await chat(ada, { q1: 'tram', a1: 'tram, tram and tram again' })
    await chat(ada, { q2: 'tram' })

    const { hits } = await search(ada, 'tram')

    expect(hits[0]?.messageId).toBe('a1')
    expect(hits.map(({ rank }) => rank)).toEqual([...hits.map(({ rank }) => rank)].sort((a, b) => b - a))
    const [one, other] = hits.slice(1)
    expect(one?.rank).toBe(other?.rank)
    expect(one?.createdAt).toBeGreaterThanOrEqual(other?.createdAt ?? Number.NaN)
  })

  it('given roles, a limit or an offset, when searched, then only those come, and whether there are more', async () => {
    const ada = newId()
    const ferries = (count: number) => Array(count).fill('ferry').join(' ')
    await chat(ada, { q1: ferries(1), a1: ferries(2), q2: ferries(3), a2: ferries(4) })

    expect(ids(await search(ada, 'ferry', { roles: ['user'] }))).toEqual(['q2', 'q1'])
    expect(ids(await search(ada, 'ferry', { roles: ['assistant'] }))).toEqual(['a2', 'a1'])
    expect(ids(await search(ada, 'ferry', { roles: [] }))).toEqual([])
    const first = await search(ada, 'ferry', { limit: 3 })
    expect([ids(first), first.more]).toEqual([['a2', 'q2', 'a1'], true])
    const rest = await search(ada, 'ferry', { limit: 3, offset: 3 })
    expect([ids(rest), rest.more]).toEqual([['q1'], false])
    expect((await search(ada, 'ferry', { limit: 4 })).more).toBe(false)
  })

  it.each([
    ["tile' & | ! :*", ['q1']],
    ['ti%e', []],
    ['well-kn', ['q1']],
    ['c:\\temp', ['q1']],
    ['o’brien', ['q1']],
    ['TILE plan', ['q1']],
    ['tile paris', []],
  ])(
    'given wildcards and operators among words (%j), when searched, then they are punctuation',
    async (query, found) => {
      const ada = newId()
      await chat(ada, { q1: 'A well-known tile plan in C:\\temp by O’Brien' })
      expect(ids(await search(ada, query))).toEqual(found)
    },
  )

  //  q1 ─ a1 ─ q2        main, the oldest
  //   └── a3 ─ q4        second, then archived
  //        └── q5        third, the latest
  it('given branches, when messages are found, then each comes with the branch to read it on, the latest used', async () => {
    const ada = newId()
    const story = await chat(ada, { q1: 'beach q1', a1: 'beach a1', q2: 'beach q2' })
    const second = await story.fork('q1', { name: 'second' })
    await story.say(second, 'q1', 'a3', 'q4')
    const third = await story.fork('a3', { name: 'third' })
    await story.say(third, 'a3', 'q5')
    const branchOf = async (query: string) => {
      const { hits } = await search(ada, query)
      return Object.fromEntries(hits.map(({ messageId, branch }) => [messageId, branch?.name]))
    }

    expect(await branchOf('beach')).toEqual({ q1: 'third', a1: 'main', q2: 'main' })
    expect(await branchOf('text')).toEqual({ a3: 'third', q4: 'second', q5: 'third' })

    await story.commit([{ kind: 'archive-branch', branchId: third }])

    expect(await branchOf('text')).toEqual({ a3: 'second', q4: 'second', q5: 'third' })
    expect(await branchOf('beach')).toEqual({ q1: 'second', a1: 'main', q2: 'main' })
  })

  it('given what a client has put around a person’s words, when they are searched, then the snippet shows the words alone', async () => {
    const ada = newId()
    const reminder = `<system-reminder>\n${'The date is known. '.repeat(200)}\n</system-reminder>`
    await chat(ada, {
      q1: `${reminder}\nPaint the gate green`,
      a1: '<system-reminder>\ngate\n</system-reminder>',
    })

    const { hits } = await search(ada, 'gate')

    expect(Object.fromEntries(hits.map(({ messageId, snippet }) => [messageId, snippet.trim()]))).toEqual({
      q1: 'Paint the <mark>gate</mark> green',
      a1: '&lt;system-reminder&gt;\n<mark>gate</mark>\n&lt;/system-reminder&gt;',
    })
  })

  it('given context that an agent has added, when its words are searched, then it is found only by who asks for its role', async () => {
    const ada = newId()
    const story = await chat(ada, { q1: 'Paint the gate green' })
    await story.append(
      story.main,
      'q1',
      said('s1', 'You are an agent. Tools for the gate: 4', 'system'),
      said('q2', '<environment_context>\ngate\n</environment_context>'),
      said('a1', 'The gate is green'),
    )

    expect(ids(await search(ada, 'gate')).sort()).toEqual(['a1', 'q1'])
    expect(ids(await search(ada, 'gate', { roles: ['system'] }))).toEqual(['s1'])
  })

  it('given a message as long as a book, when its end is searched, then the snippet comes from there', async () => {
    const ada = newId()
    await chat(ada, { q1: `${'lorem ipsum '.repeat(7000)} in the harbour of Porto a ferry waits` })

    const { hits } = await search(ada, 'ferry harbour')

    expect(hits[0]?.snippet).toContain('in the <mark>harbour</mark> of Porto a <mark>ferry</mark> waits')
  })

  it('given more to catch up with than one search does, then the latest used chat is found whole, it says so, and the next goes on', async () => {
    const ada = newId()
    await chat(ada, { q1: 'the oldest' })
    // more than one statement indexes; of its log the last number is read, which says that there is much
    const long = Array.from({ length: 600 }, (_, n) => [`m${n}`, `number${n} of many`])
    const { chatId } = await chat(ada, Object.fromEntries(long))
    await opened.database.query('update chats set last_seq = last_seq + 5000 where id = $1', [chatId])

    const first = await search(ada, 'number599')
    expect([ids(first), first.partial]).toEqual([['m599'], true])
    const second = await search(ada, 'oldest')
    expect([ids(second), second.partial]).toEqual([['q1'], false])
    expect(ids(await search(ada, 'number0'))).toEqual(['m0'])
    const many = await search(ada, 'many', { limit: 50 })
    expect([many.hits.length, many.more]).toEqual([50, true])
  })

  it('given twenty searches at once while messages arrive and a chat is deleted, then none fails', async () => {
    const ada = newId()
    const stories = await Promise.all(
      Array.from({ length: 8 }, (_, n) => chat(ada, { q1: `storm ${n}`, a1: `storm reply ${n}` })),
    )
    const say = stories.slice(0, 4).map((story) => story.say(story.main, 'a1', 'q2', 'a2'))
    const searches = Array.from({ length: 20 }, () => search(ada, 'storm'))
    const gone = opened.store.deleteChat(stories[7]?.chatId ?? '')

    await Promise.all([...say, ...searches, gone])

    expect((await search(ada, 'storm', { limit: 50 })).hits).toHaveLength(14)
    expect((await search(ada, 'text', { limit: 50 })).hits).toHaveLength(8)
  })
})
