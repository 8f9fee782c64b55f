import { startPostgres } from '@/lib/testing/postgres-cluster'
import { openPostgres } from '@/lib/db/open-postgres'
import { DrizzleContextStore, ChatReads } from '@/lib/store'
import { ContextEngine, XmlRenderer } from '@/lib/context'
import { loadChat } from '@/bench/fixtures/load-chat'
import { loadFiller } from '@/bench/fixtures/load-filler'
import { copyToFloors, lineSql, treeSql, treeId } from '@/bench/fixtures/floor-tables'
import { alternate } from '@/bench/alternate'
import { chainSql, messageColumns } from '@/lib/store/chain-sql'
import { inOrder, toMessage } from '@/lib/store/rows'
const t = (l: string) => console.log(l, Math.round(performance.now()))
const server = await startPostgres({ durable: true })
if (!('url' in server)) throw 1
const database = await openPostgres({ url: server.url, max: 1 })
const store = new DrizzleContextStore(database)
t('open')
await loadFiller(store, 20000); t('filler')
const chats = []
for (const [length, forkEvery] of [[1000], [10000], [10000, 2]] as [number, number?][]) {
  chats.push(await loadChat(store, { chatId: `c${length}-${forkEvery}`, length, ...(forkEvery ? { forkEvery } : {}) })); t('chat ' + length + ' ' + forkEvery)
}
await copyToFloors(database); t('floors')
await database.query('vacuum analyze'); t('vacuum')
for (const r of await database.query<any>(`select relname, pg_table_size(oid) s, pg_relation_size(oid) m, reltuples from pg_class where relname in ('messages','bench_line','messages_pk','messages_id','messages_search', 'events')`)) console.log(r.relname, (r.s/1e6).toFixed(1), (r.m/1e6).toFixed(1), r.reltuples)
console.log(await database.query(`select name, avg(pg_column_size(data)) d, avg(octet_length(data::text)) t, avg(pg_column_size(search)) s, avg(pg_column_size(preview)) p, avg(pg_column_size(m.*)) r from messages m group by name`))
const cols = messageColumns
for (const c of chats) {
  const chain = chainSql(messageColumns, 'message')
  const rows: any = await database.query(chain, [c.chatId, c.headId, null])
  const P = [c.chatId, c.headId, null]
  console.log(c.chatId, c.lanes, await alternate({
    floor: () => database.query(lineSql, [c.chatId, 0, c.length - 1]),
    rows: () => database.query(chain, P),
    rowsFastEpoch: () => database.query(chain.replaceAll('epoch_ms(m.created_at)', `round(date_part('epoch', m.created_at) * 1000)`), P),
    noEpoch: () => database.query(chain.replaceAll('epoch_ms(m.created_at)', `1::float8`), P),
    simple: () => database.query(`select ${messageColumns.replaceAll('epoch_ms(m.created_at)', `1::float8`)} from messages m where chat_id=$1 and lane=0 order by lane, depth`, [c.chatId]),
    simpleLine: () => database.query(`select ${messageColumns.replaceAll('epoch_ms(m.created_at)', `1::float8`)} from bench_line m where chat_id=$1 order by depth`, [c.chatId]),
    map: async () => inOrder(rows as any[]).map((row: any) => toMessage(c.chatId, row)),
    ours: () => store.getMessageChain(c.chatId, c.headId),
  }, { rounds: 60, budget: 8000 }))
  for (const [sql, p] of [[lineSql, [c.chatId, 0, c.length-1]], [chain, P]] as const)
  for (let i = 0; i < 8; i++) {
    const x = await database.query<any>('explain (analyze, buffers) ' + sql, p as any)
    if (i == 7) console.log(x.map((r) => r['QUERY PLAN']).join('\n'))
  }
}
console.log(await database.query<any>(`select pg_size_pretty(sum(octet_length(chunk_data))), count(*) from pg_toast.pg_toast_${(await database.query<any>(`select 'messages'::regclass::oid::int o`))[0].o}`))
await database.close()
await server.stop()
