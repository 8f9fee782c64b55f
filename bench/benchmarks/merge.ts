import { type BranchHead, type MessageData, planMerge, planPick } from '@/lib/context'
import type { Database } from '@/lib/db'
import { newId } from '@/lib/events'
import { alternate } from '../alternate'
import type { Environment } from '../environment'
import { idAt, loadChat } from '../fixtures/load-chat'
import { rowsFloor } from '../fixtures/turns'
import { overFloor, type Result } from '../result'
import { atMost, relaxed } from '../statistics'

/** Messages that are copied at once. */
const MANY = 1000

/** Copying many messages, read and write: against a bare insert of the rows that it writes, which are read as well. */
export async function merge(env: Environment): Promise<Result[]> {
  const bench = 'merge'
  const { store, database } = env
  const run = `${Date.now()}`
  const chatId = `merge-${run}`
  const { branchId: source } = await loadChat(store, { chatId, length: MANY + 2 })
  const base = idAt(chatId, 1)
  const own = await store.getMessageChain(chatId, idAt(chatId, MANY + 1), { last: MANY })
  const floor = await copyFloor(database, `${run}-floor`)
  await database.query('vacuum analyze messages, events, branches, lanes')

  /** A branch at the base that has none of the messages. */
  const fresh = async (): Promise<BranchHead> => {
    const branchId = newId()
    const fork = { messageId: base }
    await store.commit({
      chatId,
      at: Date.now(),
      steps: [{ kind: 'open-branch', branchId, after: 'main', at: base, fork, activate: false }],
    })
    return { branchId, branchName: branchId, headId: base, context: null }
  }
  const { rounds, warmup = 5 } = { rounds: env.quick ? 7 : 21, warmup: 2 }
  // branches are opened before the clock runs
  const targets: BranchHead[] = []
  for (let i = 0; i < 2 * (rounds + warmup) + 4; i++) targets.push(await fresh())
  const next = (): BranchHead => {
    const target = targets.pop()
    if (!target) throw new RangeError('No branch is left')
    return target
  }
  const ids = own.map(({ id }) => id)
  const time = await alternate(
    {
      floor: () => floor(chatId, base),
      async pick() {
        const branch = next()
        const found = await store.getMessagesById(chatId, ids, branch.headId)
        const byId = new Map(found.map((message) => [message.id, message]))
        const messages = ids.flatMap((id) => byId.get(id) ?? [])
        const at = Date.now()
        await store.commit({ chatId, at, steps: planPick({ branch, messages, at, newId }).steps })
      },
      async merge() {
        const target = next()
        const headId = idAt(chatId, MANY + 1)
        const begins = await store.getMergeBase(chatId, headId, target.headId)
        const messages = await store.getMessageChain(chatId, headId, { last: begins.own })
        const at = Date.now()
        const { steps } = planMerge({
          source: { branchId: source, name: 'main', headId },
          target,
          base: begins,
          way: { mode: 'turns', messages },
          at,
          newId,
        })
        await store.commit({ chatId, at, steps })
      },
    },
    { rounds, warmup, budget: env.quick ? 10_000 : 40_000 },
  )
  const against = { name: `its ${MANY} messages read, and the rows it writes inserted`, value: time.floor }
  const target = relaxed(atMost(3), env.slack)
  return [
    overFloor({ bench, what: `a pick of ${MANY} messages`, against, ours: time.pick, target }),
    overFloor({ bench, what: `a merge of ${MANY} messages by turns`, against, ours: time.merge, target }),
  ]
}

/**
 * The floor of a copy: the messages are read, and their rows and those of their events go into tables with one key each
 * and nothing else, in one statement and one transaction.
 */
async function copyFloor(
  database: Database,
  run: string,
): Promise<(chatId: string, base: string) => Promise<void>> {
  await rowsFloor(database)
  let copies = 0
  let seq = 0
  return async (chatId, base) => {
    const read = await database.query<MessageData>(
      `select m.id, m.name, m.type, m.data from messages m join messages b on b.chat_id = m.chat_id and b.lane = m.lane
      where b.chat_id = $1 and b.id = $2 and m.depth > b.depth order by m.depth`,
      [chatId, base],
    )
    copies += 1
    const into = `${run}-${copies}`
    const rows = read.map(({ name, type, data }) => ({ id: newId(), name, type, data: JSON.stringify(data) }))
    await database.query(
      `with x as (select * from rows from (json_to_recordset($2::json)
          as (id text, name text, type text, data text)) with ordinality as x(id, name, type, data, n)),
        m as (insert into bench_plain select $1, x.id, null, x.name, x.type, x.data::json, $3::float8 from x)
      insert into bench_events select $1, $4::bigint + 2 * x.n + k, case when k = 0 then 'MessageCopied' else 'CheckpointCreated' end,
        jsonb_build_object('message_id', x.id, 'role', x.name), $3::float8
      from x cross join (values (0), (1)) as k(k) where k = 0 or x.name = 'assistant'`,
      [into, JSON.stringify(rows), Date.now(), seq],
    )
    seq += 2 * rows.length
  }
}
