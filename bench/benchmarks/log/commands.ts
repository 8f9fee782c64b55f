import { randomUUID } from 'node:crypto'
import type { NewMessage } from '@/lib/context'
import { ThreadCommands } from '@/lib/store'
import { inTurns } from '../../alternate'
import type { Environment } from '../../environment'
import { commandFloors } from '../../fixtures/command-floors'
import { BENCH_USER, type LoadedChat, loadChat } from '../../fixtures/load-chat'
import { benchMessage } from '../../fixtures/payload'
import { overFloor, type Result } from '../../result'
import { FLUSH, onSlowDisk } from '../../slow-disk'
import { atMost, median } from '../../statistics'

const bench = 'log'

/** The commands that append to the log, each with a key of its caller's: against the same rows, deep against shallow. */
export async function commands(env: Environment): Promise<Result[]> {
  const { database, store } = env
  const longest = Math.max(...env.lengths)
  const run = `${Date.now()}`
  const load = (name: string, length: number) => loadChat(store, { chatId: `${name}-${run}`, length })
  const chats = {
    short: await load('send-short', 10),
    long: await load('send-long', longest),
    forkShort: await load('fork-short', 10),
    forkLong: await load('fork-long', longest),
  }
  const floors = await commandFloors(database)
  const threads = new ThreadCommands(database)
  const once = () => ({ key: randomUUID(), route: 'bench', bodyHash: 'x' })
  const next = questions(run)

  const send = (chat: LoadedChat) => async () => {
    const message = next()
    const ids = { runId: randomUUID(), replyId: randomUUID() }
    const command = {
      ownerId: BENCH_USER,
      once: once(),
      threadId: chat.branchId,
      at: Date.now(),
      message,
      run: { ...ids, model: 'demo:demo' },
      models: [],
    }
    const time = await timed(() => threads.sendMessage(command))
    // a thread has one reply at a time
    await database.query(`update runs set status = 'stopped', ended_at = now() where id = $1`, [ids.runId])
    return time
  }
  const fork = async (chat: LoadedChat) => {
    const [last] = await database.query<{ number: number }>(
      'select max(event_number) as number from events where chat_id = $1 and stream_id = $2',
      [chat.chatId, chat.branchId],
    )
    const eventNumber = last?.number ?? 0
    return () => {
      const command = {
        ownerId: BENCH_USER,
        once: once(),
        sourceThreadId: chat.branchId,
        newThreadId: `branch-${randomUUID()}`,
        eventNumber,
        at: Date.now(),
      }
      return timed(() => threads.forkThread(command))
    }
  }
  const contenders = {
    sendFloor: () => {
      const message = next()
      return timed(() => floors.send(`floor-${run}`, message))
    },
    sendShort: send(chats.short),
    sendLong: send(chats.long),
    forkFloor: () => timed(() => floors.fork(`floor-${run}`, randomUUID())),
    forkShort: await fork(chats.forkShort),
    forkLong: await fork(chats.forkLong),
  }
  const measure = async () => {
    const samples = await inTurns(contenders, env.effort.writes)
    return (name: keyof typeof contenders) => median(samples[name])
  }
  const time = await measure()
  const slow = await onSlowDisk(env, measure)
  const against = (what: string, value: number) => ({ name: `${what}, committed`, value })
  const line = (what: string, ours: number, floor: number, rows: string): Result =>
    overFloor({ bench, what, against: against(rows, floor), ours, target: atMost(1.5) })
  const sent = 'the same 6 rows'
  const forked = 'the same 5 rows'
  return [
    line('send-message at depth 10', time('sendShort'), time('sendFloor'), sent),
    line(`send-message at depth ${longest}`, time('sendLong'), time('sendFloor'), sent),
    line(
      `send-message at depth ${longest}, a flush taking ${FLUSH} ms more`,
      ...([slow('sendLong'), slow('sendFloor'), sent] as const),
    ),
    line('fork-thread at message 10', time('forkShort'), time('forkFloor'), forked),
    line(
      `fork-thread at message ${longest}, a flush taking ${FLUSH} ms more`,
      ...([slow('forkLong'), slow('forkFloor'), forked] as const),
    ),
    overFloor({
      bench,
      what: `fork-thread, flat in depth: at ${longest}`,
      ours: time('forkLong'),
      against: { name: 'at 10', value: time('forkShort') },
      target: atMost(1.2),
    }),
  ]
}

/** Questions that no chat holds yet, made before they are asked for. */
function questions(run: string): () => NewMessage {
  let count = 0
  return () => {
    count += 1
    return benchMessage(`${run}-${count}`, 0, Date.now())
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
