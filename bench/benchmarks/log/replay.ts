import type { Database } from '@/lib/db'
import { openPostgres } from '@/lib/db/open-postgres'
import { DrizzleContextStore, followers, followLog, rebuild, resetFollower } from '@/lib/store'
import { createDatabase } from '@/testing/machines/create-database'
import type { Environment } from '../../environment'
import { loadChat } from '../../fixtures/load-chat'
import { overFloor, type Result } from '../../result'
import { atLeast, median } from '../../statistics'

const bench = 'log'
const TIMES = 3

/** The readers of the whole log: the followers, and a rebuild, in events per second, in a database of their own. */
export async function replay(env: Environment): Promise<Result[]> {
  if (env.url === undefined) return []
  const own = await createDatabase(env.url)
  const database = await openPostgres({ url: own.url, max: 1 })
  try {
    await fill(env, database)
    return [...(await follow(database)), ...(await rebuildAll(database))]
  } finally {
    await database.close()
    await own.drop()
  }
}

/** One long chat, one forked at every turn, and many short ones; all of them searchable. */
async function fill({ quick }: Environment, database: Database): Promise<void> {
  const store = new DrizzleContextStore(database)
  const longest = quick ? 1000 : 10_000
  await loadChat(store, { chatId: 'long', length: longest })
  await loadChat(store, { chatId: 'forked', length: longest / 5, forkEvery: 2 })
  for (let n = 0; n < longest / 50; n += 1) await loadChat(store, { chatId: `short-${n}`, length: 20 })
  await database.query('select index_search(json_agg(id)) from chats')
  await database.query('vacuum analyze')
}

async function follow(database: Database): Promise<Result[]> {
  const results: Result[] = []
  for (const follower of followers) {
    const rates = await repeat(async () => {
      await resetFollower(database, follower)
      let events = 0
      const start = performance.now()
      for (let more = true; more; ) {
        const done = await followLog(database, follower)
        events += done.events
        more = done.more
      }
      return perSecond(events, start)
    })
    results.push(rate(`the follower ${follower.name}, from the beginning: events`, median(rates), 5000))
  }
  return results
}

async function rebuildAll(database: Database): Promise<Result[]> {
  let note = ''
  const once = async (options: { search?: boolean } = {}) => {
    const start = performance.now()
    const done = await rebuild(database, options)
    if (done.left > 0) throw new Error('A chat could not be rebuilt')
    note = `${done.events} events of ${done.chats} chats`
    return { rate: perSecond(done.events, start), differences: done.differences }
  }
  const well = await repeat(async () => (await once()).rate)
  const ruined = await repeat(async () => {
    await database.query('delete from checkpoints')
    await database.query(
      `update branches set head_lane = null, head_depth = null, parent_branch_id = null, from_event_number = 0`,
    )
    await database.query(`update chats set title = 'x', last_seq = 0, next_lane = 0`)
    const { rate, differences } = await once()
    if (differences === 0) throw new Error('Nothing was damaged')
    return rate
  })
  const { rate: words } = await once({ search: true })
  return [
    rate('rebuild: every ref and sum compared, nothing to do: events', median(well), 20_000, note),
    rate('rebuild: every ref of every chat written again: events', median(ruined), 20_000, note),
    overFloor({
      bench,
      what: 'rebuild --search: the words of every message indexed again: events',
      ours: words,
      unit: 'per second',
      against: { name: 'compared only', value: median(well) },
      note: 'most of it is to_tsvector and its index',
    }),
  ]
}

/** Figures of a few runs. */
async function repeat(work: () => Promise<number>): Promise<number[]> {
  const figures: number[] = []
  for (let time = 0; time < TIMES; time += 1) figures.push(await work())
  return figures
}

const perSecond = (count: number, start: number): number => count / ((performance.now() - start) / 1000)

const rate = (what: string, ours: number, wanted: number, note?: string): Result =>
  overFloor({
    bench,
    what,
    ours,
    unit: 'per second',
    target: atLeast(1),
    against: { name: 'wanted', value: wanted },
    ...(note === undefined ? {} : { note }),
  })
