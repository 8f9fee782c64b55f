import { alternate } from '../alternate'
import type { Environment } from '../environment'
import { idAt, type LoadedChat, loadChat } from '../fixtures/load-chat'
import { overFloor, type Result } from '../result'
import { FLUSH, onSlowDisk } from '../slow-disk'
import { atMost, relaxed } from '../statistics'

const MANY = 200

/** Going back to the middle of a chain: against inserting one row, deep against shallow, many branches against few. */
export async function rewind(env: Environment): Promise<Result[]> {
  const bench = 'rewind'
  const { store, database } = env
  const longest = Math.max(...env.lengths)
  const run = `${Date.now()}`
  const { rounds } = env.effort.writes
  await database.query(
    'create table if not exists bench_one (chat_id text, id text, primary key (chat_id, id))',
  )
  let count = 0
  const open = (chat: LoadedChat) => {
    const at = idAt(chat.chatId, Math.floor(chat.length / 2))
    return store.commit({
      chatId: chat.chatId,
      at: Date.now(),
      steps: [
        {
          kind: 'open-branch',
          branchId: `${run}-${++count}`,
          after: 'main',
          at,
          fork: { messageId: at },
          activate: true,
        },
      ],
    })
  }
  // rewinding adds a branch: a chat serves a few rounds, so that few branches stay few
  const fresh = async (name: string, length: number, branches: number, each: number) => {
    const chats: LoadedChat[] = []
    for (let i = 0; i < Math.ceil((2 * rounds + 100) / each); i++) {
      const chat = await loadChat(store, { chatId: `${name}-${run}-${i}`, length })
      for (let n = 0; n < branches; n++) await open(chat)
      chats.push(chat)
    }
    let round = 0
    return () => {
      const chat = chats[Math.floor(round++ / each) % chats.length]
      if (!chat) throw new Error('No chat to rewind in')
      return open(chat)
    }
  }
  const few = await fresh('rewind-few', 10, 0, 8)
  const many = await fresh('rewind-many', 10, MANY, 50)
  const deep = await fresh('rewind-deep', longest, 0, 2 * rounds + 100)
  const shallow = await fresh('rewind-shallow', 10, 0, 2 * rounds + 100)
  await database.query('vacuum analyze branches')
  const contenders = {
    floor: () => database.query('insert into bench_one values ($1, $2)', [run, `${++count}`]),
    few,
    many,
  }
  const time = await alternate(contenders, env.effort.writes)
  const slow = env.url && (await onSlowDisk(env, () => alternate(contenders, env.effort.writes)))
  const depth = await alternate({ shallow, deep }, env.effort.writes)
  const against = { name: 'one row, committed', value: time.floor }
  const target = relaxed(atMost(2), env.slack)
  return [
    overFloor({ bench, what: 'with a few branches', against, ours: time.few, target }),
    overFloor({ bench, what: `with ${MANY} branches and more`, against, ours: time.many, target }),
    ...(slow
      ? [
          overFloor({
            bench,
            what: `with ${MANY} branches and more, a flush taking ${FLUSH} ms more`,
            against: { ...against, value: slow.floor },
            ours: slow.many,
            target,
          }),
        ]
      : []),
    overFloor({
      bench,
      what: `flat in branches: with ${MANY} and more`,
      against: { name: 'with a few', value: time.few },
      ours: time.many,
      target: atMost(1.3),
    }),
    overFloor({
      bench,
      what: `flat in depth: at ${longest / 2}`,
      against: { name: 'at 5', value: depth.shallow },
      ours: depth.deep,
      target: atMost(1.3),
    }),
  ]
}
