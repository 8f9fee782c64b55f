import { expect, it } from 'vitest'
import type { NewMessage } from '@/lib/context'
import { newId } from '@/lib/events'
import { checkDatabase } from '@/lib/store/admin/check-database'
import { followLog, resetFollower } from '@/lib/store/followers/follow-log'
import { UNKNOWN_MODEL, usageFollower } from '@/lib/store/followers/usage'
import { type UsageByModel, usageOf } from '@/lib/store/followers/usage-of'
import { line, Story } from '@/testing/contracts/store/story'
import { onServedDatabase, openedStore } from '@/testing/worlds/open-stores'

onServedDatabase('what replies cost', ({ open }) => {
  const opened = openedStore(open)

  type Reply = NonNullable<NewMessage['reply']>
  /** A reply of a model that read and wrote so many tokens. */
  const reply = (id: string, cost?: Reply) => line(id, cost ? { reply: cost } : {})
  const uncached = { cachedTokens: 0, cacheWriteTokens: 0 }
  const cost = (model: string, inputTokens: number, outputTokens: number): Reply => ({
    model,
    usage: { inputTokens, outputTokens },
  })

  /** Counts every cost as it is said, to be asked what some messages cost by looking at each. */
  class Ledger {
    readonly #costs = new Map<string, Reply | undefined>()

    note(messages: NewMessage[]): NewMessage[] {
      for (const { id, name, reply: made } of messages) if (name === 'assistant') this.#costs.set(id, made)
      return messages
    }

    of(ids: Iterable<string>): UsageByModel {
      const sums: Record<string, UsageByModel[string]> = {}
      for (const id of ids) {
        if (!this.#costs.has(id)) continue
        const made = this.#costs.get(id)
        const model = made?.model ?? UNKNOWN_MODEL
        const so = sums[model]
        const told = (of: keyof NonNullable<NonNullable<typeof made>['usage']>) =>
          (so?.[of] ?? 0) + (made?.usage?.[of] ?? 0)
        sums[model] = {
          replies: (so?.replies ?? 0) + 1,
          inputTokens: told('inputTokens'),
          cachedTokens: told('cachedTokens'),
          cacheWriteTokens: told('cacheWriteTokens'),
          outputTokens: told('outputTokens'),
        }
      }
      return sums
    }

    get all(): UsageByModel {
      return this.of(this.#costs.keys())
    }
  }

  const follow = async () => {
    for (let more = true; more; ) ({ more } = await followLog(opened.database, usageFollower))
  }

  /** Then every branch costs what the messages of its chain do, and the chat what all its messages do. */
  async function expectCosts(story: Story, ledger: Ledger): Promise<void> {
    const { chatId, userId, store } = story
    const found = await usageOf(opened.database, chatId, userId)
    const branches = await store.listBranches(chatId)
    expect(Object.keys(found?.branches ?? {}).sort()).toEqual(branches.map(({ id }) => id).sort())
    for (const { id, name, headMessageId } of branches) {
      const chain = headMessageId === null ? [] : await story.chain(headMessageId)
      expect(found?.branches[id], `the cost of ${name}`).toEqual(ledger.of(chain))
    }
    expect(found?.total).toEqual(ledger.all)
  }

  /** Rewinds, edits and forks after events, of forks too, with replies of two models and of none. */
  async function talk(story: Story, ledger: Ledger): Promise<void> {
    const say = (branchId: string, expectedHead: string | null, messages: NewMessage[]) =>
      story.append(branchId, expectedHead, ...ledger.note(messages))
    const openAt = async (at: string | null, fork: object) => {
      const branchId = newId()
      const open = { kind: 'open-branch', branchId, after: 'main', at, activate: false } as const
      await story.commit([{ ...open, fork: fork as never }])
      return branchId
    }
    // main: 1 ThreadCreated, 2 q1, 3 a1 and 4 its checkpoint, 5 q2, 6 a2 and 7, 8 q3, 9 a3 and 10
    await say(story.main, null, [line('q1'), reply('a1', cost('one', 10, 1))])
    await say(story.main, 'a1', [line('q2'), reply('a2', cost('two', 20, 2))])
    await say(story.main, 'a2', [line('q3'), reply('a3')])
    const rewound = await openAt('a1', { messageId: 'a1' })
    await say(rewound, 'a1', [line('q4'), reply('a4', cost('one', 100, 10))])
    const edited = await openAt('a2', { messageId: 'q3', before: true })
    await say(edited, 'a2', [line('q5'), reply('a5', { model: 'one', usage: null })])
    const root = await openAt(null, { messageId: 'q1', before: true })
    await say(root, null, [line('q6'), reply('a6', { model: 'two', usage: { outputTokens: 7 } })])
    // after an event of its own, after one it inherits, and one that says nothing
    const own = await openAt('a4', { threadId: rewound, eventNumber: 7 })
    await say(own, 'a4', [line('q7'), reply('a7', cost('three', 1000, 100))])
    const inherited = await openAt('q1', { threadId: own, eventNumber: 2 })
    await say(inherited, 'q1', [reply('a8', cost('one', 5, 5)), reply('a9', cost('one', 6, 6))])
    await openAt('a9', { messageId: 'a9' })
  }

  it('given branches that share a beginning, then each costs its own chain, and the chat counts what they share once', async () => {
    const story = await Story.begin(opened.store)
    const ledger = new Ledger()
    expect(await usageOf(opened.database, story.chatId, story.userId)).toMatchObject({ total: {} })
    await talk(story, ledger)
    await follow()

    await expectCosts(story, ledger)
    expect(await usageOf(opened.database, story.chatId, story.userId)).toMatchObject({
      total: { one: { replies: 5, inputTokens: 121, outputTokens: 22 }, three: { inputTokens: 1000 } },
    })
  })

  it('given stored counts that no model can have, then the follower goes on, and branches, forks and a check agree', async () => {
    const story = await Story.begin(opened.store)
    const told = [1e300, -1e300, 0.6, 7].map((count, at) => reply(`a${at}`, cost('odd', count, count)))
    await story.append(story.main, null, ...told)
    await story.fork('a3')
    await follow()

    const odd = { replies: 4, ...uncached, inputTokens: 10_000_008, outputTokens: 10_000_008 }
    const found = await usageOf(opened.database, story.chatId, story.userId)
    expect(found?.total).toEqual({ odd })
    expect(Object.values(found?.branches ?? {})).toEqual([{ odd }, { odd }])
    expect(await checkDatabase(opened.database)).toEqual([])
  })

  it('given a fork of a fork, however deep, then all of them are worked out', async () => {
    const story = await Story.begin(opened.store)
    const ledger = new Ledger()
    let [branchId, head]: [string, string | null] = [story.main, null]
    const depth = process.env.RAMIFY_TEST_LONG ? 2000 : 40
    for (let n = 0; n < depth; n += 1) {
      await story.append(branchId, head, ...ledger.note([reply(`a${n}`, cost('one', 1, 1))]))
      ;[branchId, head] = [await story.fork(`a${n}`, { name: `${n}` }), `a${n}`]
    }
    await follow()

    const found = await usageOf(opened.database, story.chatId, story.userId)
    const deepest = found?.branches[branchId]?.one
    expect(deepest).toEqual({ replies: depth, ...uncached, inputTokens: depth, outputTokens: depth })
    expect(found?.total).toEqual(ledger.all)
  })

  it('given replies after the follower’s place, then they are not charged, with or without a fork', async () => {
    const story = await Story.begin(opened.store)
    await story.append(story.main, null, reply('a1', cost('one', 1, 1)))
    await follow()
    await story.append(story.main, 'a1', reply('a2', cost('one', 2, 2)))
    const fork = await story.fork('a2')

    const before = await usageOf(opened.database, story.chatId, story.userId)
    const one = { replies: 1, ...uncached, inputTokens: 1, outputTokens: 1 }
    expect(before).toEqual({ total: { one }, branches: { [story.main]: { one }, [fork]: { one } } })

    await follow()
    const both = { replies: 2, inputTokens: 3, outputTokens: 3 }
    expect(await usageOf(opened.database, story.chatId, story.userId)).toMatchObject({
      total: { one: both },
      branches: { [fork]: { one: both } },
    })
  })

  it('given a follower at the end, when it is reset and follows again, then every sum is the same', async () => {
    const story = await Story.begin(opened.store)
    const ledger = new Ledger()
    await talk(story, ledger)
    await follow()
    const sums = () => opened.database.query('select * from usage order by chat_id, branch_id, model')
    const before = await sums()

    await resetFollower(opened.database, usageFollower)
    expect(await sums()).toEqual([])
    await follow()

    expect(await sums()).toEqual(before)
    await expectCosts(story, ledger)
  })

  it('given a chat that is deleted, before its replies are counted or after, then nothing of it is left, and the others are counted', async () => {
    const told = async () => {
      const story = await Story.begin(opened.store)
      await story.append(story.main, null, reply('a1', cost('one', 1, 1)))
      return story
    }
    const [early, late, kept] = [await told(), await told(), await told()]
    const { database } = opened
    await early.store.deleteChat(early.chatId)
    // gone between the look at its events and their effect
    await followLog(database, {
      ...usageFollower,
      effect: async (events, ask) => {
        await late.store.deleteChat(late.chatId)
        return usageFollower.effect(events, ask)
      },
    })

    const sql = 'select chat_id as chat, replies from usage where chat_id in ($1, $2, $3)'
    const rows = await database.query(sql, [early.chatId, late.chatId, kept.chatId])
    expect(rows).toEqual([{ chat: kept.chatId, replies: 1 }])
  })
})
