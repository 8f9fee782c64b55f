import { messageTitle } from '@/lib/context'
import type { LoggedEvent } from '@/lib/events'
import { recorded } from '../reads/chain-sql'
import type { Follower } from './follow-log'

/** Characters of a message to look at for a title: a client may put long texts before a person's words. */
const LOOKED_AT = 20_000

/**
 * Names a chat without a title after its first user message with words in it. The rename is an ordinary change, with its
 * event; a title that a person chose is never touched, also when the log is read again. There is nothing to undo: every
 * title is in the log.
 */
export const titlesFollower: Follower = {
  name: 'titles',
  async effect(events, ask) {
    const chats = [...new Set(events.filter(isQuestion).map(({ chatId }) => chatId))]
    if (chats.length === 0) return undefined
    const untitled = await ask<{ chat: string; text: string }>(untitledSql, [
      JSON.stringify(chats),
      LOOKED_AT,
    ])
    const rows = untitled
      .map(({ chat, text }) => ({ chat, title: messageTitle(text) }))
      .filter(({ title }) => title !== '')
    return rows.length > 0 ? { sql: renameSql, rows } : undefined
  },
}

const isQuestion = (event: LoggedEvent): boolean =>
  event.type === 'UserMessageAdded' && event.payload.role === 'user'

/** $1 chats, $2 characters of a text */
const untitledSql = `
select c.id as chat, q.text from chats c cross join lateral (
  select left(message_text(m.data), $2) as text from events e
  cross join ${recorded} m
  where e.chat_id = c.id and e.type = 'UserMessageAdded' and e.payload ->> 'role' = 'user'
    and left(message_text(m.data), $2) ~ '[^[:space:]]'
  order by e.seq limit 1) q
where c.id in (select json_array_elements_text($1::json)) and c.title is null`

// Locked before it is read: a concurrent rename is committed by then, or comes afterwards.
const renameSql = `
select t.chat, title_chat(t.chat, t.title) as done
from (
  select c.id as chat, r.title from moved cross join json_to_recordset($1::json) as r(chat text, title text)
  join chats c on c.id = r.chat and c.title is null
  order by c.id for no key update of c
) t`
