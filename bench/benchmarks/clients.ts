import { HeadConflictError } from '@/lib/context'
import { openPostgres } from '@/lib/db/open-postgres'
import { DrizzleContextStore } from '@/lib/store'
import type { Environment } from '../environment'
import { loadChat } from '../fixtures/load-chat'
import { commitFloor, turnMaker, turnSaver } from '../fixtures/turns'
import { overFloor, type Result } from '../result'
import { atLeast, atMost, median } from '../statistics'

const bench = 'clients'
const CLIENTS = 32

/** Many at once: each on a chat of their own, and all of them on one branch. */
export async function clients(env: Environment): Promise<Result[]> {
  if (env.url === undefined) return []
  const database = await openPostgres({ url: env.url, max: CLIENTS })
  try {
    const store = new DrizzleContextStore(database)
    return [await onOwnChats(env, store), await onOneBranch(env, store)]
  } finally {
    await database.close()
  }
}

async function onOwnChats(env: Environment, store: DrizzleContextStore): Promise<Result> {
  const seconds = env.quick ? 0.5 : 2
  const floor = await commitFloor(store.database)
  const run = `${Date.now()}`
  // each cycles through turns made in advance; only their ids are new
  const workers = await Promise.all(
    Array.from({ length: CLIENTS }, async (_, i) => {
      const chatId = `client-${run}-${i}`
      const chat = await loadChat(store, { chatId, length: 10 })
      const stock = Array.from({ length: 50 }, turnMaker(chatId))
      let count = 0
      const next = () => {
        const [question, reply] = stock[count % stock.length] ?? turnMaker(chatId)()
        count++
        return [
          { ...question, id: `${chatId}-${count}-q` },
          { ...reply, id: `${chatId}-${count}-a` },
        ] as [typeof question, typeof reply]
      }
      const save = turnSaver(store, chat)
      return { floor: () => floor(chatId, next()), ours: () => save(next()) }
    }),
  )
  const perSecond = async (work: readonly (() => Promise<void>)[]) => {
    const start = performance.now()
    const end = start + seconds * 1000
    const counts = await Promise.all(
      work.map(async (once) => {
        let count = 0
        for (; performance.now() < end; count++) await once()
        return count
      }),
    )
    return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - start) / 1000)
  }
  const rates = { floor: [] as number[], ours: [] as number[] }
  for (let round = -1; round < (env.quick ? 2 : 5); round++) {
    const rate = {
      floor: await perSecond(workers.map((worker) => worker.floor)),
      ours: await perSecond(workers.map((worker) => worker.ours)),
    }
    if (round < 0) continue
    rates.floor.push(rate.floor)
    rates.ours.push(rate.ours)
  }
  return overFloor({
    bench,
    what: `${CLIENTS} clients on ${CLIENTS} chats, turns`,
    against: { name: 'two rows, committed', value: median(rates.floor) },
    ours: median(rates.ours),
    unit: 'per second',
    target: atLeast(0.25),
  })
}

/** All have read the same head and write at once: one may commit, the others are told so, at once and once. */
async function onOneBranch(env: Environment, store: DrizzleContextStore): Promise<Result> {
  const rounds = env.quick ? 5 : 30
  const chat = await loadChat(store, { chatId: `one-branch-${Date.now()}`, length: 10 })
  const make = turnMaker('writer')
  let head = chat.headId
  const outcomes = { committed: 0, forked: 0, refused: 0, other: 0 }
  for (let round = 0; round < rounds; round++) {
    const expectedHead = head
    const attempts = Array.from({ length: CLIENTS }, (_, i) => {
      const messages = make()
      // every other one asks for a branch of its own in case it loses, as a late reply does
      const branch = i % 2 === 0 ? {} : { orBranchId: `${chat.chatId}-${round}-${i}` }
      return store
        .commit({
          chatId: chat.chatId,
          at: Date.now(),
          steps: [{ kind: 'append', branchId: chat.branchId, expectedHead, messages, ...branch }],
        })
        .then(
          ({ placed }) => {
            if (placed[0]?.branchId !== chat.branchId) return 'forked' as const
            head = messages[1].id
            return 'committed' as const
          },
          (error: unknown) =>
            (error instanceof HeadConflictError ? 'refused' : 'other') as 'refused' | 'other',
        )
    })
    for (const outcome of await Promise.all(attempts)) outcomes[outcome]++
  }
  const [row] = await store.database.query<{ deadlocks: number }>(
    'select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()',
  )
  const { committed, forked, refused, other } = outcomes
  // one per round moves the branch; any other number would be a lost update
  const wrong = Math.abs(committed - rounds) + other + (row?.deadlocks ?? 0)
  return overFloor({
    bench,
    what: `${CLIENTS} on one branch: anything but commit, fork or refuse`,
    against: { name: 'attempts', value: rounds * CLIENTS },
    ours: wrong,
    unit: 'rows',
    target: atMost(0),
    note: `on one branch: ${committed} committed, ${forked} forked, ${refused} refused, ${row?.deadlocks} deadlocks`,
  })
}
