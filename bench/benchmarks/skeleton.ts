import { ChatReads } from '@/lib/store'
import { alternate } from '../alternate'
import type { Environment } from '../environment'
import { explain, nodesOf } from '../explain'
import { lineSql } from '../fixtures/floor-tables'
import { BENCH_USER } from '../fixtures/load-chat'
import { recording } from '../recorded'
import { overFloor, type Result } from '../result'
import { atMost } from '../statistics'

/** The graph of a long chat without bodies: read from the index alone. The peer's way is in `peers`. */
export async function skeleton(env: Environment): Promise<Result[]> {
  const bench = 'skeleton'
  const length = Math.max(...env.lengths)
  const { chatId } = env.chat(length)
  const { database, statements } = recording(env.database)
  await new ChatReads(database).graph(chatId, BENCH_USER)
  const [graph] = statements
  if (!graph) throw new Error('Nothing was read')
  // pages that were just written to are visited until the next vacuum
  await env.database.query('vacuum messages')
  const { Plan } = await explain(env.database.query, graph.text, graph.params)
  const scans = [...nodesOf(Plan)].filter(({ Alias }) => Alias === 'm')
  const nodes = scans.find((scan) => scan['Index Name'] === 'messages_pk')
  const fetches = nodes?.['Node Type'] === 'Index Only Scan' ? (nodes['Heap Fetches'] ?? 0) : length
  const time = await alternate(
    {
      whole: () => env.scan(lineSql, [chatId, 0, length - 1]),
      graph: () => env.reads.graph(chatId, BENCH_USER),
    },
    env.effort.reads,
  )
  return [
    overFloor({
      bench,
      what: `${length} nodes`,
      against: { name: 'reading the messages', value: time.whole },
      ours: time.graph,
    }),
    overFloor({
      bench,
      what: 'index-only: visits to the table, per node',
      against: { name: 'nodes', value: length },
      ours: fetches,
      unit: 'rows',
      target: atMost(0.01),
      note: `nodes are read by ${nodes?.['Node Type'] ?? 'no index'}, ${fetches} visits to the table`,
    }),
  ]
}
