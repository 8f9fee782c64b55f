import { ContextEngine, type ContextFragment, hint, role, term, XmlRenderer } from '@/lib/context'
import { DrizzleContextStore } from '@/lib/store'
import { alternate } from '../alternate'
import type { Environment, Query, Shape } from '../environment'
import { explain } from '../explain'
import { lineBodiesSql, lineSql, treeId, treeSql } from '../fixtures/floor-tables'
import { BENCH_USER, type LoadedChat } from '../fixtures/load-chat'
import { recording } from '../recorded'
import { overFloor, type Result } from '../result'
import { atMost, median, relaxed } from '../statistics'

const SHAPES: Shape[] = ['straight', '200 forks', 'a fork at every turn']

/** What a person tells a model who tells it much. */
const fragments: ContextFragment[] = [
  role('You help two people to plan a journey.'),
  ...Array.from({ length: 25 }, (_, at) =>
    hint(`Answer question ${at} with a place, a price and how to get there.`),
  ),
  ...Array.from({ length: 24 }, (_, at) =>
    term(`line ${at}`, `the tram that leaves the square every ${at} minutes`),
  ),
]

/** Reading a whole chain, parsed: against the range scan of the same rows, and the sources' recursive CTE. */
export async function resolve(env: Environment): Promise<Result[]> {
  const results: Result[] = []
  for (const length of env.lengths) {
    for (const shape of SHAPES) {
      if (shape === '200 forks' && length < 1000) continue
      results.push(...(await ofChain(env, env.chat(length, shape), shape)))
    }
  }
  return results
}

async function ofChain(env: Environment, chat: LoadedChat, shape: Shape): Promise<Result[]> {
  const { store, scan, database } = env
  const { chatId, headId, length } = chat
  const bench = 'resolve'
  const label = `${length} messages, ${shape}`
  const engine = new ContextEngine({ store, chatId, userId: BENCH_USER, branch: chat.branchId })
  const instructed = new ContextEngine({ store, chatId, userId: BENCH_USER, branch: chat.branchId })
  instructed.set(...fragments)
  const renderer = new XmlRenderer()
  const line = [chatId, 0, length - 1]
  const time = await alternate(
    {
      floor: () => scan(lineSql, line),
      bodies: () => scan(lineBodiesSql, line),
      chain: () => store.getMessageChain(chatId, headId),
      engine: () => engine.resolve({ renderer }),
      instructed: () => instructed.resolve({ renderer }),
      tree: () => database.query(treeSql, [treeId(chatId, headId)]),
    },
    env.effort.reads,
  )
  const floor = { name: 'range scan', value: time.floor }
  // forked at every turn, a chain is as many scans as turns: there the sources' way is the one to beat
  const forked = shape === 'a fork at every turn'
  const target = forked ? {} : { target: relaxed(atMost(1.15), env.slack) }
  return [
    overFloor({ bench, what: `${label}: getMessageChain`, against: floor, ours: time.chain, ...target }),
    overFloor({ bench, what: `${label}: engine.resolve`, against: floor, ours: time.engine, ...target }),
    // it reads nothing but bodies, and so it is shown against that as well
    overFloor({
      bench,
      what: `${label}: engine.resolve`,
      against: { name: 'range scan of bodies', value: time.bodies },
      ours: time.engine,
    }),
    overFloor({
      bench,
      what: `${label}: getMessageChain`,
      against: { name: 'recursive CTE', value: time.tree },
      ours: time.chain,
      ...(forked ? { target: relaxed(atMost(1), env.slack) } : {}),
    }),
    overFloor({
      bench,
      what: `${label}: engine.resolve, ${fragments.length} fragments`,
      against: { name: 'without fragments', value: time.engine },
      ours: time.instructed,
      target: relaxed(atMost(1.2), env.slack),
    }),
    ...(forked ? [] : [await serverTime(env, chat, label)]),
  ]
}

/** Execution time as the server counts it: no transfer, no parsing. */
async function serverTime(
  env: Environment,
  { chatId, headId, length }: LoadedChat,
  label: string,
): Promise<Result> {
  const { database, statements } = recording(env.database)
  await new DrizzleContextStore(database).getMessageChain(chatId, headId)
  const [chain] = statements
  if (!chain) throw new Error('The store read nothing')
  const times = { floor: [] as number[], ours: [] as number[] }
  const measure = async (query: Query, text: string, params: readonly unknown[], into: number[]) =>
    into.push((await explain(query, text, params))['Execution Time'])
  for (let round = 0; round < (env.quick ? 7 : 25); round++) {
    await measure(env.scan, lineSql, [chatId, 0, length - 1], times.floor)
    await measure(env.database.query, chain.text, chain.params, times.ours)
  }
  return overFloor({
    bench: 'resolve',
    what: `${label}: server time`,
    against: { name: 'range scan', value: median(times.floor) },
    ours: median(times.ours),
    target: relaxed(atMost(1.3), env.slack),
  })
}
