import { toldTokens } from '@/lib/context'
import type { LoggedEvent } from '@/lib/events'
import type { Follower } from './follow-log'
import { UNKNOWN_MODEL } from './usage'

/** What replies cost on each day, summed per chat and model. A reply counts once, however many branches share it. */
export const usageDaysFollower: Follower = {
  name: 'usage-days',
  async effect(events) {
    const rows = sumByDay(events)
    return rows.length > 0 ? { sql: addSql, rows } : undefined
  },
  undo: 'delete from usage_days',
}

interface Sum {
  chat: string
  /** of UTC */
  day: string
  model: string
  replies: number
  input: number
  /** of the input, read from the provider's cache */
  cached: number
  output: number
}

function sumByDay(events: readonly LoggedEvent[]): Sum[] {
  const sums = new Map<string, Sum>()
  for (const event of events) {
    if (event.type !== 'LLMResponseGenerated') continue
    const { chatId: chat, createdAt, payload } = event
    const day = new Date(createdAt).toISOString().slice(0, 10)
    const model = payload.model ?? UNKNOWN_MODEL
    const key = JSON.stringify([chat, day, model])
    const sum = sums.get(key) ?? { chat, day, model, replies: 0, input: 0, cached: 0, output: 0 }
    sum.replies += 1
    sum.input += toldTokens(payload.usage?.inputTokens) ?? 0
    sum.cached += toldTokens(payload.usage?.cachedTokens) ?? 0
    sum.output += toldTokens(payload.usage?.outputTokens) ?? 0
    sums.set(key, sum)
  }
  return [...sums.values()]
}

// chats are locked before their rows are written, as the follower `usage` does
const addSql = `
insert into usage_days (chat_id, day, model, replies, input_tokens, cached_tokens, output_tokens)
select s.chat, s.day, s.model, s.replies, s.input, s.cached, s.output
from moved, json_to_recordset($1::json)
    as s(chat text, day date, model text, replies int, input bigint, cached bigint, output bigint),
  (select c.id from chats c where c.id in (select r ->> 'chat' from json_array_elements($1::json) r) order by c.id
    for key share) alive
where alive.id = s.chat
on conflict (chat_id, day, model) do update set replies = usage_days.replies + excluded.replies,
  input_tokens = usage_days.input_tokens + excluded.input_tokens,
  cached_tokens = usage_days.cached_tokens + excluded.cached_tokens,
  output_tokens = usage_days.output_tokens + excluded.output_tokens
returning null::text as chat`
