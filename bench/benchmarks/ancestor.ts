import { indexGraph } from '@/lib/graph'
import { alternate } from '../alternate'
import type { Environment } from '../environment'
import { treeId } from '../fixtures/floor-tables'
import { BENCH_USER, idAt, STUB } from '../fixtures/load-chat'
import { fasterThan, type Result } from '../result'
import { atLeast } from '../statistics'

/** Walking up from both messages, as the sources' tables allow. $1 and $2 messages. */
const treeSql = `with recursive a as (
    select id, parent_id, 0 as steps from bench_tree where id = $1
    union all select m.id, m.parent_id, a.steps + 1 from bench_tree m join a on m.id = a.parent_id),
  b as (
    select id, parent_id from bench_tree where id = $2
    union all select m.id, m.parent_id from bench_tree m join b on m.id = b.parent_id)
  select a.id from a join b on b.id = a.id order by a.steps limit 1`

const stretches = (name: string, message: string) => `${name} as (
    select l.lane, l.parent_lane, l.base_depth, m.depth as top from messages m
    join lanes l on l.chat_id = m.chat_id and l.lane = m.lane where m.chat_id = $1 and m.id = ${message}
    union all
    select q.* from ${name} s cross join lateral (select l.lane, l.parent_lane, l.base_depth, s.base_depth - 1
      from lanes l where l.chat_id = $1 and l.lane = s.parent_lane limit 1) q)`

/** The same question to the store's tables: the highest lane both chains run through, as far as both reach. */
const lanesSql = `with recursive ${stretches('a', '$2')}, ${stretches('b', '$3')}
  select m.id from (select a.lane, least(a.top, b.top) as depth from a join b on b.lane = a.lane
    order by a.lane desc limit 1) x
  join messages m on m.chat_id = $1 and m.lane = x.lane and m.depth = x.depth`

/** One in the application takes microseconds: so many are timed together. */
const TIMES = 1000

/** Where two branches of a long chat parted: arithmetic on lanes, in SQL and in the graph a page holds anyway. */
export async function ancestor(env: Environment): Promise<Result[]> {
  const bench = 'ancestor'
  const length = Math.max(...env.lengths)
  const results: Result[] = []
  for (const shape of ['straight', '200 forks'] as const) {
    const { chatId, headId, lanes } = env.chat(length, shape)
    const middle = lanes > 1 ? (length / lanes) * Math.floor(lanes / 2) : Math.floor(length / 2)
    const other = lanes > 1 ? `${idAt(chatId, middle)}${STUB}` : idAt(chatId, middle)
    const expected = lanes > 1 ? idAt(chatId, middle - 1) : other
    const graph = await env.reads.graph(chatId, BENCH_USER)
    if (!graph) throw new Error(`Chat "${chatId}" is gone`)
    const index = indexGraph(graph)
    const byTree = () =>
      env.database.query<{ id: string }>(treeSql, [treeId(chatId, headId), treeId(chatId, other)])
    const byLanes = () => env.database.query<{ id: string }>(lanesSql, [chatId, headId, other])
    const answers = [
      (await byTree())[0]?.id === treeId(chatId, expected),
      (await byLanes())[0]?.id === expected,
      index.commonAncestor(headId, other)?.id === expected,
    ]
    if (answers.includes(false)) throw new Error(`Not all find the common ancestor: ${answers}`)
    const time = await alternate(
      {
        tree: byTree,
        lanes: byLanes,
        index: async () => {
          for (let i = 0; i < TIMES; i++) index.commonAncestor(headId, other)
        },
      },
      env.effort.reads,
    )
    const against = { name: 'recursive CTE', value: time.tree }
    const what = `${length} messages, ${shape}`
    const target = atLeast(env.quick ? 5 : 50)
    results.push(
      fasterThan({ bench, what: `${what}: lanes, in SQL`, against, ours: time.lanes, target }),
      fasterThan({ bench, what: `${what}: lanes, GraphIndex`, against, ours: time.index / TIMES, target }),
    )
  }
  return results
}
