import type { UIMessage } from 'ai'
import { ContextEngine, message } from '@/lib/context'
import { alternate } from '../alternate'
import type { Environment } from '../environment'
import { BENCH_USER, loadChat } from '../fixtures/load-chat'
import { commitFloor, rowsFloor, type Turn, turnMaker, turnSaver } from '../fixtures/turns'
import { overFloor, type Result } from '../result'
import { FLUSH, onSlowDisk } from '../slow-disk'
import { atMost, relaxed } from '../statistics'

/** Saving one turn: against a transaction that only inserts two such rows, and deep against shallow. */
export async function save(env: Environment): Promise<Result[]> {
  const bench = 'save'
  const { store, database } = env
  const longest = Math.max(...env.lengths)
  const run = `${Date.now()}`
  const short = await loadChat(store, { chatId: `save-10-${run}`, length: 10 })
  const long = await loadChat(store, { chatId: `save-${longest}-${run}`, length: longest })
  const edited = await loadChat(store, { chatId: `save-engine-${run}`, length: 10 })
  const floor = await commitFloor(database)
  const rows = await rowsFloor(database)
  const engine = new ContextEngine({ store, chatId: edited.chatId, userId: BENCH_USER })
  const make = {
    floor: turnMaker('f'),
    rows: turnMaker('r'),
    short: turnMaker('s'),
    long: turnMaker('l'),
    engine: turnMaker('e'),
  }
  // prose takes longer to invent than to store: all of it is ready before the first round
  const { rounds, warmup = 5 } = env.effort.writes
  const stock = <Name extends keyof typeof make>(name: Name): (() => Turn) => {
    const turns = Array.from({ length: 2 * (rounds + warmup) }, make[name])
    return () => turns.pop() ?? make[name]()
  }
  const next = {
    floor: stock('floor'),
    rows: stock('rows'),
    short: stock('short'),
    long: stock('long'),
    engine: stock('engine'),
  }
  const saveShort = turnSaver(store, short)
  const saveLong = turnSaver(store, long)
  const contenders = {
    floor: () => floor(run, next.floor()),
    rows: () => rows(run, next.rows()),
    short: () => saveShort(next.short()),
    long: () => saveLong(next.long()),
    engine: () => engine.set(...next.engine().map(({ data }) => message(data as UIMessage))).save(),
  }
  const time = await alternate(contenders, env.effort.writes)
  const slow = env.url && (await onSlowDisk(env, () => alternate(contenders, env.effort.writes)))
  const against = { name: 'two rows, committed', value: time.floor }
  const target = relaxed(atMost(1.8), env.slack)
  return [
    overFloor({ bench, what: 'one turn at depth 10', against, ours: time.short, target }),
    overFloor({ bench, what: `one turn at depth ${longest}`, against, ours: time.long, target }),
    ...(slow
      ? [
          overFloor({
            bench,
            what: `one turn at depth ${longest}, a flush taking ${FLUSH} ms more`,
            against: { ...against, value: slow.floor },
            ours: slow.long,
            target,
          }),
        ]
      : []),
    overFloor({
      bench,
      what: `flat in depth: at ${longest}`,
      against: { name: 'at 10', value: time.short },
      ours: time.long,
      target: atMost(1.3),
    }),
    overFloor({
      bench,
      what: `one turn at depth ${longest}`,
      against: { name: 'all the rows it writes, committed', value: time.rows },
      ours: time.long,
    }),
    overFloor({
      bench,
      what: 'one turn through engine.save',
      against,
      ours: time.engine,
      target: relaxed(atMost(2.5), env.slack),
    }),
  ]
}
