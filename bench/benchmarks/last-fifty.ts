import { alternate } from '../alternate'
import type { Environment } from '../environment'
import { lineSql } from '../fixtures/floor-tables'
import { BENCH_USER } from '../fixtures/load-chat'
import { overFloor, type Result } from '../result'
import { atMost, relaxed } from '../statistics'

const COUNT = 50

/** The end of a chain, as a page opens with it: against the same 50 rows, and deep against shallow. */
export async function lastFifty(env: Environment): Promise<Result[]> {
  const bench = 'last-50'
  const results: Result[] = []
  const chats = env.lengths.map((length) => env.chat(length))
  for (const { chatId, headId, branchId, length } of chats) {
    const time = await alternate(
      {
        floor: () => env.scan(lineSql, [chatId, length - COUNT, length - 1]),
        chain: () => env.store.getMessageChain(chatId, headId, { last: COUNT }),
        window: () => env.reads.window(chatId, BENCH_USER, { branch: branchId, limit: COUNT }),
      },
      { ...env.effort.reads, rounds: env.effort.reads.rounds * 3 },
    )
    const against = { name: 'range scan', value: time.floor }
    const target = relaxed(atMost(1.3), env.slack)
    results.push(
      overFloor({ bench, what: `of ${length}: getMessageChain`, against, ours: time.chain, target }),
      overFloor({ bench, what: `of ${length}: ChatReads.window`, against, ours: time.window, target }),
    )
  }
  const [shallow, deep] = [chats[0], chats.at(-1)]
  if (!shallow || !deep) return results
  const last = (chat: typeof deep) => () =>
    env.store.getMessageChain(chat.chatId, chat.headId, { last: COUNT })
  const time = await alternate({ shallow: last(shallow), deep: last(deep) }, env.effort.writes)
  results.push(
    overFloor({
      bench,
      what: `flat in depth: of ${deep.length}`,
      against: { name: `of ${shallow.length}`, value: time.shallow },
      ours: time.deep,
      target: atMost(1.3),
    }),
  )
  return results
}
