import type { Follower } from './follow-log'
import { sumReplies } from './usage'

/** Usage of replies per day, chat and model. A reply counts once, even when many branches share it. */
export const usageDaysFollower: Follower = {
  name: 'usage-days',
  async effect(events) {
    const rows = sumReplies(events, ({ chatId: chat, createdAt }) => ({
      chat,
      // in UTC
      day: new Date(createdAt).toISOString().slice(0, 10),
    }))
    return rows.length > 0 ? { sql: addSql, rows } : undefined
  },
  undo: 'delete from usage_days',
}

// chats are locked before their rows are written, as the follower `usage` does
const addSql = `
insert into usage_days (chat_id, day, model, replies, input_tokens, cached_tokens, cache_write_tokens,
  output_tokens)
select s.chat, s.day, s.model, s.replies, s.input, s.cached, s.written, s.output
from moved, json_to_recordset($1::json)
    as s(chat text, day date, model text, replies int, input bigint, cached bigint,
    written bigint, output bigint),
  (select c.id from chats c where c.id in (select r ->> 'chat' from json_array_elements($1::json) r) order by c.id
    for key share) alive
where alive.id = s.chat
on conflict (chat_id, day, model) do update set replies = usage_days.replies + excluded.replies,
  input_tokens = usage_days.input_tokens + excluded.input_tokens,
  cached_tokens = usage_days.cached_tokens + excluded.cached_tokens,
  cache_write_tokens = usage_days.cache_write_tokens + excluded.cache_write_tokens,
  output_tokens = usage_days.output_tokens + excluded.output_tokens
returning null::text as chat`
