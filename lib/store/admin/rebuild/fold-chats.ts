import type { Database } from '@/lib/db'
import { type ChatId, type ChatRefs, foldRefs, type LoggedEvent, noRefs, parseEvent } from '@/lib/events'
import { eventColumns } from '../../reads/rows'

/** Events read at a time: they bound the memory for a log of any length. */
const PAGE = 2000

/** The refs that a chat's log amounts to, or why it cannot be trusted. */
export type Told = { refs: ChatRefs } | { broken: string }

/**
 * Folds the logs of some chats into their refs. Reads them as a stream: keeps the refs of these chats, and of the log no
 * more than a page. Events never change, so it takes no lock; `upto` is where it ends.
 *
 * @param upto the last event of each chat that counts
 * @param before the refs of a single chat at an earlier event: only later events are read
 * @returns for every chat in `upto`, and how many events were read
 */
export async function foldChats(
  database: Database,
  upto: ReadonlyMap<ChatId, number>,
  before?: ChatRefs,
): Promise<{ told: Map<ChatId, Told>; events: number }> {
  const told = new Map<ChatId, Told>([...upto.keys()].map((id) => [id, { refs: noRefs(id) }]))
  let [after, events]: [{ chat: string; seq: number }, number] = [{ chat: '', seq: 0 }, 0]
  if (before) {
    told.set(before.chatId, { refs: before })
    after = { chat: before.chatId, seq: before.seq }
  }
  const ids = JSON.stringify([...upto.keys()])
  for (;;) {
    const page = await database.query<LoggedEvent>(pageSql, [ids, after.chat, after.seq, PAGE])
    for (const [chatId, some] of byChat(page)) {
      const wanted = some.filter(({ seq }) => seq <= (upto.get(chatId) ?? 0))
      const sofar = told.get(chatId)
      if (sofar && 'refs' in sofar) told.set(chatId, foldNext(sofar.refs, wanted))
      events += wanted.length
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return { told, events }
    after = { chat: last.chatId, seq: last.seq }
  }
}

function foldNext(refs: ChatRefs, events: readonly unknown[]): Told {
  try {
    return { refs: foldRefs(refs, events.map(parseEvent)) }
  } catch (error) {
    return { broken: error instanceof Error ? error.message : String(error) }
  }
}

function byChat(events: readonly LoggedEvent[]): Map<ChatId, LoggedEvent[]> {
  const chats = new Map<ChatId, LoggedEvent[]>()
  for (const event of events) {
    const some = chats.get(event.chatId)
    if (some) some.push(event)
    else chats.set(event.chatId, [event])
  }
  return chats
}

/** $1 chats, $2 chat and $3 number to begin after, $4 how many. Beyond these chats nothing is looked at. */
const pageSql = `
select ${eventColumns} from events e
where (e.chat_id, e.seq) > ($2, $3::bigint) and e.chat_id in (select json_array_elements_text($1::json))
  and e.chat_id <= (select max(id) from json_array_elements_text($1::json) id)
  and e.chat_id >= (select min(id) from json_array_elements_text($1::json) id)
order by e.chat_id, e.seq limit $4`
