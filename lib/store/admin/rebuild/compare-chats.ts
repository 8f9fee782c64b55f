import type { Database } from '@/lib/db'
import type { ChatId, ChatRefs } from '@/lib/events'
import { compareRefs, type Difference, type WantedChat, wantedChat } from './compare-refs'
import { foldChats } from './fold-chats'
import { type LiveChat, readLiveChats } from './live-chat'
import { compareAgents, compareUsage } from './read-models'

/** A chat beside its log; `broken` says why the log cannot be trusted. */
export type ComparedChat =
  | { chatId: ChatId; refs: ChatRefs; wanted: WantedChat; differences: Difference[] }
  | { chatId: ChatId; broken: string }

/**
 * Folds the logs of some chats and compares the result with the stored refs, the use of models and the branches of agents. The
 * check of a database and its rebuild both read the log this way.
 *
 * @param before the refs of a single chat at an earlier event: only later events are read
 * @returns the chats that are still there, and how many events were read
 */
export async function compareChats(
  database: Database,
  chatIds: readonly ChatId[],
  before?: ChatRefs,
): Promise<{ chats: ComparedChat[]; events: number }> {
  const live = await readLiveChats(database, chatIds)
  const upto = new Map([...live].map(([id, { loggedSeq }]) => [id, loggedSeq]))
  const { told, events } = await foldChats(database, upto, before)
  const usage = Map.groupBy(await compareUsage(database, [...live.keys()]), ({ chatId }) => chatId)
  const agents = Map.groupBy(await compareAgents(database, [...live.keys()]), ({ chatId }) => chatId)
  const chats: ComparedChat[] = []
  for (const [chatId, chat] of live) {
    const log = told.get(chatId)
    if (!log || !('refs' in log)) {
      chats.push({ chatId, broken: log?.broken ?? 'it has no log' })
      continue
    }
    const { refs } = log
    if (refs.seq !== chat.loggedSeq || chat.lastSeq > chat.loggedSeq) {
      if (await isThere(database, chat)) chats.push({ chatId, broken: whatIsMissing(chat, refs) })
      continue
    }
    const wanted = wantedChat(refs, chat)
    const models = [...(usage.get(chatId) ?? []), ...(agents.get(chatId) ?? [])]
    chats.push({ chatId, refs, wanted, differences: [...compareRefs(chat, wanted), ...models] })
  }
  return { chats, events }
}

/** A chat that was deleted while its log was read has lost nothing. */
const isThere = async (database: Database, { id }: LiveChat): Promise<boolean> =>
  (await readLiveChats(database, [id])).size > 0

const whatIsMissing = ({ loggedSeq, lastSeq }: LiveChat, { seq }: ChatRefs): string =>
  `its log ends at event ${seq}, but ${Math.max(lastSeq, loggedSeq)} were written`

/** Chats are taken together until they have this many events: a small one is not worth the way. */
const GROUP = 5000

/** The ids of all chats, some at a time. */
export async function* groupsOf(database: Database, chatId: ChatId | undefined): AsyncGenerator<ChatId[]> {
  if (chatId !== undefined) {
    yield [chatId]
    return
  }
  for (let after: ChatId = ''; ; ) {
    const page = await database.query<{ id: ChatId; events: number }>(
      'select id, last_seq::float8 as events from chats where id > $1 order by id limit 500',
      [after],
    )
    let [group, events]: [ChatId[], number] = [[], 0]
    for (const chat of page) {
      group.push(chat.id)
      events += chat.events
      if (events < GROUP) continue
      yield group
      ;[group, events] = [[], 0]
    }
    if (group.length > 0) yield group
    const last = page.at(-1)
    if (!last) return
    after = last.id
  }
}
