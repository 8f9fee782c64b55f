import { planRewind, planUndo } from '@/lib/context'
import { newId } from '@/lib/events'
import { alternate } from '../alternate'
import type { Environment } from '../environment'
import { idAt, loadChat } from '../fixtures/load-chat'
import { overFloor, type Result } from '../result'
import { FLUSH, onSlowDisk } from '../slow-disk'
import { atMost, relaxed } from '../statistics'

/** Taking a rewind back, read and write: against inserting one row, and in a long log against a short one. */
export async function undo(env: Environment): Promise<Result[]> {
  const bench = 'undo'
  const { store, database } = env
  const longest = Math.max(...env.lengths)
  const run = `${Date.now()}`
  // as many as are undone, on this disk and on a slow one
  const most = 2 * (2 * env.effort.writes.rounds + 100)
  await database.query(
    'create table if not exists bench_one (chat_id text, id text, primary key (chat_id, id))',
  )
  /** Chats with moves to undo: `each` of them in every chat. */
  const fresh = async (name: string, length: number, each: number) => {
    const chats: string[] = []
    for (let i = 0; i < Math.ceil(most / each); i++) {
      const { chatId } = await loadChat(store, { chatId: `${name}-${run}-${i}`, length })
      const messageId = idAt(chatId, Math.floor(length / 2))
      for (let n = 0; n < each; n++) {
        const { steps } = planRewind({ after: 'main', messageId, newId })
        await store.commit({ chatId, at: Date.now(), steps })
      }
      chats.push(chatId)
    }
    let round = 0
    return async () => {
      const chatId = chats[Math.floor(round++ / each)]
      const move = chatId === undefined ? null : await store.getMove(chatId, { which: 'undo' })
      if (!move || chatId === undefined) throw new Error('No move to undo')
      await store.commit({
        chatId,
        at: Date.now(),
        expectedSeq: move.seq,
        steps: planUndo(move, newId).steps,
      })
    }
  }
  // four events a move: a log of about a hundred, and one of as many as the longest chat has
  const short = await fresh('undo-short', 10, 20)
  const long = await fresh('undo-long', longest, most)
  await database.query('vacuum analyze branches, events, messages')
  let count = 0
  const contenders = {
    floor: () => database.query('insert into bench_one values ($1, $2)', [run, `undo-${++count}`]),
    short,
    long,
  }
  const time = await alternate(contenders, env.effort.writes)
  const slow = env.url && (await onSlowDisk(env, () => alternate(contenders, env.effort.writes)))
  const against = { name: 'one row, committed', value: time.floor }
  const target = relaxed(atMost(2), env.slack)
  const what = 'of a rewind, in a log of 100 events'
  return [
    overFloor({ bench, what, against, ours: time.short, target }),
    ...(slow
      ? [
          overFloor({
            bench,
            what: `${what}, a flush taking ${FLUSH} ms more`,
            against: { ...against, value: slow.floor },
            ours: slow.short,
            target,
          }),
        ]
      : []),
    overFloor({
      bench,
      what: `flat in the log: of a chat of ${longest} messages`,
      against: { name: 'in a log of 100 events', value: time.short },
      ours: time.long,
      target: atMost(1.3),
    }),
  ]
}
