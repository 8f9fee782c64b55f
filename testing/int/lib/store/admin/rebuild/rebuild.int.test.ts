// Longer than 400 lines because all cases share the helpers that ruin a database, rebuild it and compare every table.

import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Database } from '@/lib/db'
import { newId } from '@/lib/events'
import { checkDatabase, findingLine } from '@/lib/store/admin/check-database'
import type { Difference } from '@/lib/store/admin/rebuild/compare-refs'
import { type RebuildOptions, rebuild } from '@/lib/store/admin/rebuild/rebuild'
import { followLog } from '@/lib/store/followers/follow-log'
import { usageFollower } from '@/lib/store/followers/usage'
import { DrizzleContextStore } from '@/lib/store/writes/drizzle-context-store'
import { line, Story } from '@/testing/contracts/store/story'
import { describeEngineProperties } from '@/testing/properties/engine-properties'
import { onServedDatabase, openedStore } from '@/testing/worlds/open-stores'

/** Every table that follows from the log, and the columns that do; what a chat was touched by without a word is not among them. */
const derived = {
  chats: 'id as chat_id, title, metadata, active_branch_id, next_lane, last_seq, created_at',
  branches: '*',
  checkpoints: '*',
  usage: '*',
  message_search: '*',
  search_progress: '*',
}

/** A hash for each table. */
async function hashes(database: Database, chatId: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [table, columns] of Object.entries(derived)) {
    const [row] = await database.query<{ hash: string }>(
      `select md5(coalesce(string_agg(t::text, chr(10) order by t::text), '')) as hash
      from (select ${columns} from ${table}) t where chat_id = $1`,
      [chatId],
    )
    found[table] = row?.hash ?? ''
  }
  return found
}

/** Nothing that follows from the log is left as it was; what keys refuse stays, but wrong. */
async function ruin(database: Database, chatId: string): Promise<void> {
  for (const sql of [
    'delete from usage where chat_id = $1',
    'delete from message_search where chat_id = $1',
    'delete from search_progress where chat_id = $1',
    'delete from checkpoints where chat_id = $1',
    `update branches set name = 'x' || id, head_lane = null, head_depth = null, parent_branch_id = null,
      from_event_number = 7, context_id = null, created_at = '2001-01-01',
      archived_at = case when archived_at is null then timestamptz '2002-02-02' end where chat_id = $1`,
    `update chats set title = 'x', metadata = '{"x": 1}', next_lane = 77, last_seq = 0, created_at = '2001-01-01',
      active_branch_id = (select min(id) from branches where chat_id = $1) where id = $1`,
    `delete from branches b where chat_id = $1 and not exists (select 1 from chats c where c.active_branch_id = b.id)
      and not exists (select 1 from runs r where r.chat_id = b.chat_id and r.branch_id = b.id)`,
  ]) {
    await database.query(sql, [chatId])
  }
}

/** Until usage has followed the whole chat: a transaction that is open anywhere on the server holds it up. */
async function catchUp(store: DrizzleContextStore, chatId: string): Promise<void> {
  await vi.waitFor(async () => {
    for (let more = true; more; ) ({ more } = await followLog(store.database, usageFollower))
    const behind = await store.database.query(
      `select 1 from events e where chat_id = $1 and not exists (select 1 from followers f
        where f.name = $2 and (f.txid, f.at_chat, f.at_seq) >= (e.txid, e.chat_id, e.seq))`,
      [chatId, usageFollower.name],
    )
    expect(behind).toEqual([])
  }, 10_000)
  await store.database.query('select index_search(json_build_array($1::text))', [chatId])
}

/** A rebuild of one chat, and what was said about it. */
async function rebuilt(database: Database, options: RebuildOptions) {
  const [differences, left]: [string[], string[]] = [[], []]
  const done = await rebuild(database, {
    ...options,
    onDifference: (found) => differences.push(inWords(found)),
    onLeft: (_chatId, why) => left.push(why),
  })
  return { ...done, said: differences, left }
}

const inWords = ({ thing, what, is, log }: Difference) => `${thing}: ${what} is ${is}, the log says ${log}`

onServedDatabase('rebuilding refs and read models', ({ name, open }) => {
  const counts = { chats: 0, events: 0, unequal: 0 }
  afterAll(() =>
    console.log(
      `rebuild on ${name}: ${counts.chats} chats, ${counts.events} events, ${counts.unequal} unequal`,
    ),
  )

  // given a long random history, when all that follows from its log is ruined and rebuilt, then it is what it was
  describeEngineProperties(
    name,
    async () => {
      const { store, close } = await open()
      const { database } = store
      return {
        store,
        reopen: () => new DrizzleContextStore(database),
        findings: async (chatId) => {
          if (!(await store.getChat(chatId))) return []
          await catchUp(store, chatId)
          const before = await hashes(database, chatId)
          const untouched = await rebuilt(database, { chatId })
          const same = await hashes(database, chatId)
          await ruin(database, chatId)
          const repaired = await rebuilt(database, { chatId })
          const after = await hashes(database, chatId)
          const unequal = Object.keys(before).filter((table) => before[table] !== after[table])
          const touched = Object.keys(before).filter((table) => before[table] !== same[table])
          counts.chats += 1
          counts.events += untouched.events
          counts.unequal += unequal.length + touched.length
          const findings = (await checkDatabase(database, { chatId })).map(findingLine)
          return [...unequal, ...touched, ...untouched.said, ...repaired.left, ...findings]
        },
        thorough: false,
        close,
      }
    },
    // both databases run the same functions; Postgres, the faster one, takes most of the sequences
    process.env.RAMIFY_TEST_LONG
      ? { runs: 3, length: 300 }
      : { runs: 1, length: name === 'postgres' ? 100 : 30 },
  )
})

onServedDatabase('a rebuild', ({ name, open }) => {
  const opened = openedStore(open)
  let database: Database
  beforeAll(() => {
    database = opened.database
  })

  /** q1, a1, q2 on main, which the chat opens on; a fork at a1 with q3, archived; a checkpoint; a title. */
  async function plant() {
    const story = await Story.begin(opened.store)
    const reply = { model: 'one', usage: { inputTokens: 3, outputTokens: 5 } }
    await story.append(story.main, null, line('q1'), line('a1', { reply }), line('q2'))
    const fork = await story.fork('a1')
    await story.say(fork, 'a1', 'q3')
    const checkpointId = newId()
    await story.commit([
      { kind: 'archive-branch', branchId: fork },
      { kind: 'save-checkpoint', checkpointId, name: 'mark', messageId: 'a1' },
      { kind: 'update-chat', title: 'Rome', metadata: { days: 3, by: ['train'] } },
    ])
    await catchUp(opened.store, story.chatId)
    return { story, chatId: story.chatId, fork, checkpointId }
  }

  type Planted = Awaited<ReturnType<typeof plant>>

  const renamed = (to: string, of: string) =>
    `update branches set name = '${to}' where chat_id = $1 and name = '${of}'`
  /** Some SQL, statement by statement, and what a rebuild says of it. */
  const damages: Record<string, [sql: string[], says: (planted: Planted) => string[]]> = {
    'a head that went back': [
      [`update branches set head_depth = 0 where chat_id = $1 and name = 'main'`],
      () => ['branch main: its head is q1, the log says q2'],
    ],
    'a branch with another name': [
      [renamed('other', 'main')],
      ({ story }) => [`branch ${story.main}: its name is other, the log says main`],
    ],
    'two branches that have swapped their names': [
      [renamed('tmp', 'main'), renamed('main', 'main-v2'), renamed('main-v2', 'tmp')],
      ({ story, fork }) => [
        `branch ${story.main}: its name is main-v2, the log says main`,
        `branch ${fork}: its name is main, the log says main-v2`,
      ],
    ],
    'a branch that is no longer archived': [
      [`update branches set archived_at = null where chat_id = $1`],
      () => [expect.stringContaining('branch main-v2: the time it was archived is none, the log says')],
    ],
    'a fork with another parent': [
      [
        `update branches set parent_branch_id = null, from_event_number = 0 where chat_id = $1 and name = 'main-v2'`,
      ],
      ({ story }) => [
        `branch main-v2: its parent is none, the log says ${story.main}`,
        'branch main-v2: its last inherited event is 0, the log says 3',
      ],
    ],
    'a branch that is lost': [
      [`delete from branches where chat_id = $1 and name = 'main-v2'`],
      () => ['branch main-v2: it is missing, the log says there'],
    ],
    'a branch that no event has opened': [
      [`insert into branches (chat_id, id, name) values ($1, 'ghost-' || $1, 'ghost')`],
      () => ['branch ghost: it is there, the log says nothing of it'],
    ],
    'a checkpoint somewhere else': [
      [`update checkpoints set depth = 0 where chat_id = $1`],
      () => ['checkpoint mark: its message is q1, the log says a1'],
    ],
    'a checkpoint with another id': [
      [`update checkpoints set id = 'other' where chat_id = $1`],
      ({ checkpointId }) => [`checkpoint mark: its id is other, the log says ${checkpointId}`],
    ],
    'a checkpoint that is lost': [
      [`delete from checkpoints where chat_id = $1`],
      () => ['checkpoint mark: it is missing, the log says there'],
    ],
    'a chat of another name, with other metadata, opening elsewhere': [
      [
        `update chats set title = null, metadata = '{"days": 4}', active_branch_id =
        (select id from branches where chat_id = $1 and name = 'main-v2') where id = $1`,
      ],
      ({ story, fork }) => [
        'the chat: its title is none, the log says Rome',
        'the chat: its metadata is {"days":4}, the log says {"by":["train"],"days":3}',
        `the chat: its active branch is ${fork}, the log says ${story.main}`,
      ],
    ],
    'counters that went back': [
      [`update chats set last_seq = 3, next_lane = 0 where id = $1`],
      () => [
        'the chat: its last event is 3, the log says 12',
        'the chat: its next lane is 0, the log says 2',
      ],
    ],
    'a sum that is wrong': [
      [`update usage set input_tokens = 4 where chat_id = $1`],
      ({ story }) => [
        `branch ${story.main}: its use of one is 1 replies, 4 tokens in, 0 cached, 0 written, 5 out, the log says 1 replies, 3 tokens in, 0 cached, 0 written, 5 out`,
      ],
    ],
    'words that are lost': [
      [`delete from message_search where chat_id = $1 and depth = 1`],
      () => ['its search: the number of messages that cannot be found is 1, the log says 0'],
    ],
  }

  /** A chat that was set right, for the next damage. */
  let sound: Planted | undefined
  it.each(Object.entries(damages))(
    'given %s, when it is dry, then it says so; otherwise it sets it right',
    async (_, [sql, says]) => {
      const planted = sound ?? (await plant())
      sound = undefined
      const { chatId } = planted
      const before = await hashes(database, chatId)
      for (const statement of sql) await database.query(statement, [chatId])
      const damaged = await hashes(database, chatId)
      expect(damaged).not.toEqual(before)

      const dry = await rebuilt(database, { chatId, dry: true })
      expect(dry.said.sort()).toEqual(says(planted).sort())
      expect(await hashes(database, chatId)).toEqual(damaged)

      expect((await rebuilt(database, { chatId })).said.sort()).toEqual(dry.said.sort())
      expect(await hashes(database, chatId)).toEqual(before)
      const again = await rebuilt(database, { chatId })
      expect(again).toMatchObject({ chats: 1, events: 12, differences: 0, left: [] })
      expect(await checkDatabase(database, { chatId })).toEqual([])
      sound = planted
    },
  )

  it('given words that are wrong, then they are indexed again when that is asked for', async () => {
    const { chatId } = await plant()
    const before = await hashes(database, chatId)
    await database.query(`update message_search set words = '' where chat_id = $1`, [chatId])

    expect(await rebuilt(database, { chatId, search: true })).toMatchObject({ differences: 0, left: [] })
    expect(await hashes(database, chatId)).toEqual(before)
  })

  it('given a checkpoint saved before its id was told, then it keeps the id it has, and gets one when it is lost', async () => {
    const { story, chatId } = await plant()
    await database.query('alter table events disable trigger events_no_change')
    await database.query(
      `update events set version = 1, payload = payload - 'checkpoint_id'
      where chat_id = $1 and type = 'CheckpointSaved'`,
      [chatId],
    )
    await database.query('alter table events enable trigger events_no_change')
    await database.query(`update checkpoints set id = 'old' where chat_id = $1`, [chatId])

    expect((await rebuilt(database, { chatId })).said).toEqual([])
    expect(await story.store.getCheckpoint(chatId, 'mark')).toMatchObject({ id: 'old', messageId: 'a1' })

    await database.query('delete from checkpoints where chat_id = $1', [chatId])
    expect((await rebuilt(database, { chatId })).differences).toBe(1)
    expect(await story.store.getCheckpoint(chatId, 'mark')).toMatchObject({ messageId: 'a1' })
    expect((await rebuilt(database, { chatId })).differences).toBe(0)
  })

  it('given a chat that was touched without a word, then its last change stays; one that was lost is found in the log', async () => {
    const { story, chatId } = await plant()
    const { store } = story
    const logged = (await store.getEvents(chatId)).at(-1)?.createdAt ?? 0
    await database.query(`update chats set updated_at = updated_at + interval '1 hour' where id = $1`, [
      chatId,
    ])
    expect((await rebuilt(database, { chatId })).said).toEqual([])
    expect((await store.getChat(chatId))?.updatedAt).toBe(logged + 3_600_000)

    await database.query(`update chats set updated_at = '2001-01-01' where id = $1`, [chatId])
    expect((await rebuilt(database, { chatId })).differences).toBe(1)
    expect((await store.getChat(chatId))?.updatedAt).toBe(logged)
  })

  it.each([
    ['has a hole', 'delete from events where chat_id = $1 and seq = 2', /event 2 is missing/],
    ['has lost its end', 'delete from events where chat_id = $1 and seq > 9', /ends at event 9, but 12/],
    ['is gone', 'delete from events where chat_id = $1', /ends at event 0, but 12/],
    [
      'was written by a newer program',
      'update events set version = 9 where chat_id = $1 and seq = 2',
      /version 9, which this version of Ramify does not know/,
    ],
    [
      'was tampered with',
      `update events set payload = '{}' where chat_id = $1 and seq = 2`,
      /is no UserMessageAdded: payload/,
    ],
  ])('given a log that %s, then its chat is left as it is', async (_what, sql, why) => {
    const { chatId } = await plant()
    await database.query(`update branches set head_depth = 0 where chat_id = $1 and name = 'main'`, [chatId])
    await database.query('alter table events disable trigger user')
    await database.query(sql, [chatId])
    await database.query('alter table events enable trigger user')
    const before = await hashes(database, chatId)

    const done = await rebuilt(database, { chatId })

    expect(done.left).toEqual([expect.stringMatching(why)])
    expect(await hashes(database, chatId)).toEqual(before)
  })

  it('given a branch that no event has opened, with a run on it, then the chat is left as it is, and that is said', async () => {
    const { story, chatId } = await plant()
    const ghost = `ghost-${chatId}`
    await database.query(
      `insert into branches (chat_id, id, name, head_lane, head_depth) values ($1, $2, 'ghost', 0, 2)`,
      [chatId, ghost],
    )
    await story.commit([
      { kind: 'queue-run', runId: newId(), branchId: ghost, replyTo: 'q2', replyId: 'r1', model: 'one' },
    ])
    await database.query(`update branches set head_depth = 0 where chat_id = $1 and name = 'main'`, [chatId])
    const before = await hashes(database, chatId)

    expect((await rebuilt(database, { chatId })).left).toEqual([expect.stringContaining('runs')])
    expect(await hashes(database, chatId)).toEqual(before)
  })

  it('given several chats, when one is named, then the others stay as they are', async () => {
    const [{ chatId: one }, { chatId: other }] = [await plant(), await plant()]
    const titles = async () =>
      [await opened.store.getChat(one), await opened.store.getChat(other)].map((chat) => chat?.title)
    await database.query('update chats set title = null where id in ($1, $2)', [one, other])
    await rebuilt(database, { chatId: one })
    expect(await titles()).toEqual(['Rome', undefined])

    expect((await rebuilt(database, {})).said).toContain('the chat: its title is none, the log says Rome')
    expect(await titles()).toEqual(['Rome', 'Rome'])
  })

  it.runIf(name === 'postgres')(
    'given a chat that is written to all the while, when its refs are damaged and rebuilt, then no write is lost',
    async () => {
      const { story, chatId } = await plant()
      let head = 'q2'
      let [writing, written] = [true, 0]
      /** the time of the slowest rebuild: a writer that leaves no pause for one on a busy machine has it give up */
      let slowest = 0
      const timed = async (options: RebuildOptions) => {
        const began = performance.now()
        const done = await rebuilt(database, { chatId, ...options })
        slowest = Math.max(slowest, performance.now() - began)
        return done
      }
      await timed({ dry: true })
      const write = async () => {
        for (; writing; written += 1) {
          const next = `n${written}`
          await story.say(story.main, head, next)
          head = next
          await database.query('select pg_sleep($1::float8 / 2000)', [slowest])
        }
      }
      const writer = write()
      let [rounds, found] = [0, 0]
      for (; rounds < 10 || written < 10; rounds += 1) {
        await database.query('update chats set title = $2 where id = $1', [chatId, `wrong ${rounds}`])
        const done = await timed({})
        found += done.said.filter((said) => said.includes('its title')).length
        expect(done.left).toEqual([])
      }
      writing = false
      await writer

      expect(found).toBe(rounds)
      expect(await story.chain(head)).toHaveLength(3 + written)
      expect((await rebuilt(database, { chatId, dry: true })).said).toEqual([])
      expect(await checkDatabase(database, { chatId })).toEqual([])
    },
  )
})
