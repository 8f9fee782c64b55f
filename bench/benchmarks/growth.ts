import postgres from 'postgres'
import { openPostgres } from '@/lib/db/open-postgres'
import { ChatReads, checkDatabase, DrizzleContextStore, followSome, RunStore } from '@/lib/store'
import { createDatabase } from '@/testing/machines/create-database'
import { startPostgres } from '@/testing/machines/postgres-cluster'
import { alternate } from '../alternate'
import { appTurn } from '../fixtures/app-turn'
import { CHATS_OF_ONE, fillChats, filledChat } from '../fixtures/fill-chats'
import { turnMaker } from '../fixtures/turns'
import { overFloor, type Result } from '../result'
import { atMost } from '../statistics'

const FEW = 1_000

/** People who are at work, in both databases: all others are asleep. */
const AT_WORK = 10

/** Buffers of the server: what is in use fits, as on a server that is made for its database. */
const BUFFERS = '1GB'

/** Chats that `db:check` looks at, of those that were copied. */
const CHECKED = 5

/** The same work of ten people in a database with a thousand chats and in one with many, each person with a hundred. */
export async function growth({
  chats,
  parts = 0,
  quick,
}: {
  chats: number
  parts?: number
  quick: boolean
}): Promise<Result[]> {
  const server = await startPostgres({ own: true, durable: true })
  if ('skipped' in server) {
    console.log(`growth: skipped, ${server.skipped}`)
    return []
  }
  try {
    const session = postgres(server.url, { max: 1, onnotice: () => undefined })
    await session.unsafe(`alter system set shared_buffers = '${BUFFERS}'`)
    await session.end()
    await server.restart?.()
    const few = await openFilled(server.url, FEW, 0)
    const many = await openFilled(server.url, chats, parts)
    const name = `${FEW.toLocaleString('en')} chats`
    const results: Result[] = []
    for (const [what, work] of Object.entries(works)) {
      const time = await alternate(
        { few: () => work(few), many: () => work(many) },
        { rounds: quick ? 30 : 300, warmup: quick ? 5 : 300, budget: 15_000 },
      )
      const against = { name, value: time.few }
      const size = `in ${chats.toLocaleString('en')} chats${parts > 0 ? ` on ${parts} parts` : ''}`
      results.push(
        overFloor({
          bench: 'growth',
          what: `${what}, ${size}`,
          against,
          ours: time.many,
          target: atMost(1.3),
        }),
      )
    }
    await Promise.all([few.database.close(), many.database.close()])
    return results
  } finally {
    await server.stop()
  }
}

type Filled = Awaited<ReturnType<typeof openFilled>>

async function openFilled(server: string, chats: number, parts: number) {
  const { url } = await createDatabase(server)
  const open = () => openPostgres({ url, max: 1 })
  const start = performance.now()
  await fillChats(url, open, { chats, parts })
  const seconds = (performance.now() - start) / 1000
  const database = await open()
  const [size] = await database.query<{ size: string }>(
    'select pg_size_pretty(pg_database_size(current_database())) as size',
  )
  console.log(`growth: ${chats.toLocaleString('en')} chats, ${size?.size}, filled in ${seconds.toFixed(0)} s`)
  const filled = {
    database,
    store: new DrizzleContextStore(database),
    reads: new ChatReads(database),
    runs: new RunStore(database),
  }
  const people = chats / CHATS_OF_ONE
  const any = () => {
    const person = Math.floor((Math.floor(Math.random() * AT_WORK) * people) / AT_WORK)
    return filledChat(person * CHATS_OF_ONE + Math.floor(Math.random() * CHATS_OF_ONE))
  }
  for (let n = 0; n < CHECKED; n++) {
    const [finding] = await checkDatabase(database, { chatId: any().chatId })
    if (finding) throw new Error(`A filled chat is not as the app writes it: ${JSON.stringify(finding)}`)
  }
  const make = turnMaker('sent')
  /** the heads that this run has moved */
  const heads = new Map<string, string | null>()
  return { ...filled, any, make, heads }
}

/** Each picks a chat by chance: what is read next is mostly not what was read last. */
const works: Record<string, (filled: Filled) => Promise<unknown>> = {
  'a page of a chat': async ({ reads, any }) => {
    const { chatId, ownerId } = any()
    return Promise.all([reads.graphUpTo(chatId, ownerId, 600), reads.window(chatId, ownerId, { limit: 20 })])
  },
  'a chain for the model': ({ store, any }) => {
    const { chatId, headId } = any()
    return store.getMessageChain(chatId, headId)
  },
  'a turn': async ({ store, any, make, heads }) => {
    const chat = any()
    const place = { ...chat, headId: heads.get(chat.chatId) ?? chat.headId }
    await appTurn(store, place, make())
    heads.set(chat.chatId, place.headId)
  },
  'a search': ({ reads, any }) => reads.search(any().ownerId, 'the', { limit: 30 }),
  'the list of chats': ({ reads, any }) => reads.chats(any().ownerId, { sort: 'updated', limit: 50 }),
  'a thread by its id': ({ database, any }) => {
    const { branchId, ownerId } = any()
    return database.query(
      'select b.chat_id from branches b join chats c on c.id = b.chat_id where b.id = $1 and c.user_id = $2',
      [branchId, ownerId],
    )
  },
  'a worker with nothing to do': ({ runs }) => runs.claim(60_000, { total: 4 }),
  'followers of the log after a turn': async ({ store, any, make, heads, database }) => {
    const chat = any()
    const place = { ...chat, headId: heads.get(chat.chatId) ?? chat.headId }
    await appTurn(store, place, make())
    heads.set(chat.chatId, place.headId)
    return followSome(database)
  },
}
