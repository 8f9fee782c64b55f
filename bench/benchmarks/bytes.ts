import { openPostgres } from '@/lib/db/open-postgres'
import { DrizzleContextStore } from '@/lib/store'
import { createDatabase } from '@/testing/machines/create-database'
import type { Environment } from '../environment'
import { appTurn, makeChat } from '../fixtures/app-turn'
import { loadChat } from '../fixtures/load-chat'
import { payloadBytes } from '../fixtures/payload'
import { turnMaker } from '../fixtures/turns'
import { overFloor, type Result } from '../result'
import { atMost } from '../statistics'

/** What one turn adds, stored as the app does: the question with its run, then the reply that ends the run. */
export async function bytes(env: Environment): Promise<Result[]> {
  if (env.url === undefined) return []
  const turns = env.quick ? 300 : 2500
  // a database of its own: every byte in it is one of these turns
  const own = await createDatabase(env.url)
  const database = await openPostgres({ url: own.url, max: 1 })
  try {
    const store = new DrizzleContextStore(database)
    // alone, a chat would always write at the end of every index, where pages fill up; beside others it does not
    await loadChat(store, { chatId: 'neighbour', length: 20 })
    const chat = await makeChat(store, 'chat')
    const make = turnMaker('m')
    let payload = 0
    const before = await sizes(store)
    const measured: (Sizes & { payload: number })[] = []
    for (let i = 0; i < turns * 2; i++) {
      const turn = make()
      payload += payloadBytes(turn)
      await appTurn(store, chat, turn)
      if (i === turns - 1 || i === turns * 2 - 1) measured.push({ ...(await sizes(store)), payload })
    }
    const [first, second] = measured
    if (!first || !second) throw new Error('Nothing was measured')
    const per = (from: Sizes & { payload: number }, to: Sizes & { payload: number }, what: keyof Sizes) =>
      (to[what] - from[what]) / turns
    const start = { ...before, payload: 0 }
    const against = { name: 'payload', value: (second.payload - first.payload) / turns }
    const row = (what: string, ours: number, more: object = {}) =>
      overFloor({ bench: 'bytes', what, against, ours, unit: 'bytes', ...more })
    return [
      row('message rows and their keys, without search', per(first, second, 'messages'), {
        target: atMost(1.5),
      }),
      overFloor({
        bench: 'bytes',
        what: `constant in depth: turns ${turns}–${turns * 2}`,
        against: { name: `turns 1–${turns}`, value: per(start, first, 'messages') },
        ours: per(first, second, 'messages'),
        unit: 'bytes',
        target: atMost(1.1),
      }),
      row('search: what messages are found by, and its index', per(first, second, 'search')),
      row('events', per(first, second, 'events')),
      row('whole turn: messages, search, events, run', per(first, second, 'all'), { target: atMost(4) }),
      row('write-ahead log', per(first, second, 'wal'), {
        target: atMost(6),
        note: 'of the whole server: full-page images, search and vacuum included',
      }),
    ]
  } finally {
    await database.close()
    await own.drop()
  }
}

interface Sizes {
  messages: number
  search: number
  events: number
  all: number
  wal: number
}

/** The bytes of all there is, with everything that was said searchable. */
async function sizes(store: DrizzleContextStore): Promise<Sizes> {
  await store.indexPending()
  const [row] = await store.database.query<Sizes>(`
    select (pg_relation_size('messages') + pg_relation_size('messages_pk') + pg_relation_size('messages_id'))::float8
        as messages,
      (pg_total_relation_size('message_search') + pg_total_relation_size('search_progress'))::float8 as search,
      pg_total_relation_size('events')::float8 as events,
      (select sum(pg_total_relation_size(oid))::float8 from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace) as all,
      (pg_current_wal_lsn() - '0/0')::float8 as wal`)
  if (!row) throw new Error('No sizes')
  return row
}
