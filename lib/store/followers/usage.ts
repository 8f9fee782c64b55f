import { toldTokens } from '@/lib/context'
import type { LoggedEvent } from '@/lib/events'
import type { Follower } from './follow-log'

/** The model of replies without a recorded one: a library caller appended them. */
export const UNKNOWN_MODEL = 'unknown'

/** Sums the usage of replies per chat, recording branch and model. */
export const usageFollower: Follower = {
  name: 'usage',
  async effect(events) {
    const rows = sumReplies(events, ({ chatId: chat, streamId: branch }) => ({ chat, branch }))
    return rows.length > 0 ? { sql: addSql, rows } : undefined
  },
  undo: 'delete from usage',
}

type Reply = Extract<LoggedEvent, { type: 'LLMResponseGenerated' }>

/** Usage of some replies of one model; 0 without a count. */
interface Sum {
  model: string
  replies: number
  input: number
  /** tokens of the input that were read from the provider's cache */
  cached: number
  /** tokens of the input that were written into it */
  written: number
  output: number
}

/** Sums the usage of the replies among events, per group and model. */
export function sumReplies<Group extends object>(
  events: readonly LoggedEvent[],
  groupOf: (reply: Reply) => Group,
): (Group & Sum)[] {
  const sums = new Map<string, Group & Sum>()
  for (const event of events) {
    if (event.type !== 'LLMResponseGenerated' || event.payload.imported) continue
    const { usage, model: told } = event.payload
    const group = { ...groupOf(event), model: told ?? UNKNOWN_MODEL }
    const key = JSON.stringify(group)
    const sum = sums.get(key) ?? { ...group, replies: 0, input: 0, cached: 0, written: 0, output: 0 }
    sum.replies += 1
    sum.input += toldTokens(usage?.inputTokens) ?? 0
    sum.cached += toldTokens(usage?.cachedTokens) ?? 0
    sum.written += toldTokens(usage?.cacheWriteTokens) ?? 0
    sum.output += toldTokens(usage?.outputTokens) ?? 0
    sums.set(key, sum)
  }
  return [...sums.values()]
}

// Locks chats before writing their rows: a chat that is being deleted is waited for, and then left out. In
// the other order, its deletion and this statement would wait for each other.
const addSql = `
insert into usage (chat_id, branch_id, model, replies, input_tokens, cached_tokens, cache_write_tokens, output_tokens)
select s.chat, s.branch, s.model, s.replies, s.input, s.cached, s.written, s.output
from moved, json_to_recordset($1::json)
    as s(chat text, branch text, model text, replies int, input bigint, cached bigint, written bigint, output bigint),
  (select c.id from chats c where c.id in (select r ->> 'chat' from json_array_elements($1::json) r) order by c.id
    for key share) alive
where alive.id = s.chat
on conflict (chat_id, branch_id, model) do update set replies = usage.replies + excluded.replies,
  input_tokens = usage.input_tokens + excluded.input_tokens, cached_tokens = usage.cached_tokens + excluded.cached_tokens,
  cache_write_tokens = usage.cache_write_tokens + excluded.cache_write_tokens,
  output_tokens = usage.output_tokens + excluded.output_tokens
returning null::text as chat`
