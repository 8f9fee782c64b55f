// A rebuild beside servers that go on: each case holds one of them in the middle of its write.

import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '@/lib/db'
import { rebuild } from '@/lib/store/admin/rebuild/rebuild'
import { followLog, resetFollower } from '@/lib/store/followers/follow-log'
import { usageFollower } from '@/lib/store/followers/usage'
import { searchMessages } from '@/lib/store/search/message-search'
import { line, Story } from '@/testing/contracts/store/story'
import { onPostgres, openedStore } from '@/testing/worlds/open-stores'

onPostgres('a rebuild beside others (postgres)', () => {
  const opened = openedStore()
  let database: Database
  let others: postgres.Sql
  beforeAll(() => {
    database = opened.database
    others = postgres(opened.url ?? '', { max: 2 })
  })
  afterAll(() => others?.end())

  type Act = () => Promise<unknown>

  /** Holds `first` in an open transaction until each of `beside` has begun and waits, one after the other, and then `meanwhile`. */
  async function held(
    first: (tx: postgres.TransactionSql) => Promise<unknown>,
    beside: readonly Act[],
    meanwhile?: Act,
  ) {
    const begun: Promise<unknown>[] = []
    await others.begin(async (tx) => {
      await first(tx)
      for (const begin of beside) {
        begun.push(begin())
        await expect.poll(waiting).toBe(begun.length)
      }
      await meanwhile?.()
    })
    await Promise.all(begun)
  }

  // asked beside the transaction: within one, the first answer stands
  const waiting = async (): Promise<number> => {
    const [row] = await others`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    return row?.count ?? 0
  }

  /** A question and a reply on main, which is searchable, and the cost of the reply, which is not counted yet. */
  async function plant() {
    const story = await Story.begin(opened.store)
    const reply = { model: 'one', usage: { inputTokens: 3, outputTokens: 5 } }
    await story.append(story.main, null, line('q1'), line('a1', { reply }))
    await database.query('select index_search(json_build_array($1::text))', [story.chatId])
    return story
  }

  it('given an indexer of a new message, when all is indexed anew meanwhile, then everything is found', async () => {
    const story = await plant()
    await story.say(story.main, 'a1', 'q2')
    await held(
      (tx) => tx`select index_search(json_build_array(${story.chatId}::text))`,
      [() => rebuild(database, { search: true, chatId: story.chatId })],
    )
    const found = await searchMessages(database, story.userId, 'text', { limit: 5 })
    expect(found?.hits.map(({ messageId }) => messageId).sort()).toEqual(['a1', 'q1', 'q2'])
    expect(await rebuild(database, { chatId: story.chatId })).toMatchObject({ differences: 0, left: 0 })
  })

  it('given a follower in the middle of its write, when it is reset, then what it counts is counted once', async () => {
    const story = await plant()
    const { chatId } = story
    // its place, before what it has to count
    await database.query('insert into followers (name) values ($1) on conflict do nothing', ['usage'])
    await held(
      (tx) => tx`select 1 from chats where id = ${chatId} for update`,
      [() => followLog(database, usageFollower), () => resetFollower(database, usageFollower)],
    )
    for (let more = true; more; ) ({ more } = await followLog(database, usageFollower))
    const counted = 'select replies, input_tokens::int as tokens from usage where chat_id = $1'
    expect(await database.query(counted, [chatId])).toEqual([{ replies: 1, tokens: 3 }])
  })

  it('given a follower in the middle of its write, when a branch is to be renamed, then the rebuild waits before it holds the branch', async () => {
    const { chatId, main } = await plant()
    await database.query(`update branches set name = 'wrong' where id = $1`, [main])
    let free: readonly unknown[] = []
    await held(
      (tx) =>
        tx`insert into followers (name) values ('usage') on conflict (name) do update set updated_at = now()`,
      [() => rebuild(database, { chatId })],
      async () => {
        // what the follower itself will ask for
        free = await others`select 1 from branches where id = ${main} for key share nowait`
      },
    )
    expect(free).toHaveLength(1)
    expect((await opened.store.getActiveBranch(chatId))?.name).toBe('main')
  })
})
