import type { Database } from '@/lib/db'
import type { ChatId, UserId } from '@/lib/events'
import { type ChatUsage, usageOf } from '../followers/usage-of'
import { asking } from './asking'

/** The tokens of one model's replies, as their providers counted them; 0 without a count. */
export interface Spent {
  model: string
  replies: number
  inputTokens: number
  /** tokens of the input that were read from the provider's cache */
  cachedTokens: number
  /** tokens of the input that were written into it */
  cacheWriteTokens: number
  outputTokens: number
}

interface SpentOnDay extends Spent {
  /** a day of UTC, like 2026-03-14 */
  day: string
}

interface SpentInChat extends Spent {
  chatId: ChatId
  title: string | null
}

/** Maximum number of chats in the overview: those with the most tokens. */
const MOST_CHATS = 20

/** Usage of the replies in an owner's chats, at most a second after they ended. */
export class UsageReads {
  readonly #database: Database
  readonly #ask: Database['query']

  constructor(database: Database) {
    this.#database = database
    this.#ask = asking(database)
  }

  /** From a day on: by day and model, and by chat and model for the chats with the most tokens. */
  async since(ownerId: UserId, day: string): Promise<{ days: SpentOnDay[]; chats: SpentInChat[] }> {
    const [days, chats] = await Promise.all([
      this.#ask<SpentOnDay>(daysSql, [ownerId, day]),
      this.#ask<SpentInChat>(chatsSql, [ownerId, day]),
    ])
    return { days, chats }
  }

  /** A chat's usage, in all and by branch with the inherited one. Undefined for a missing or another person's chat. */
  ofChat(chatId: ChatId, ownerId: UserId): Promise<ChatUsage | undefined> {
    return usageOf(this.#database, chatId, ownerId)
  }
}

/** Sums of rows `u` of `usage_days`. */
export const sums = `sum(u.replies)::int as replies, sum(u.input_tokens)::float8 as "inputTokens",
  sum(u.cached_tokens)::float8 as "cachedTokens",
  sum(u.cache_write_tokens)::float8 as "cacheWriteTokens", sum(u.output_tokens)::float8 as "outputTokens"`

const daysSql = `select u.day::text as day, u.model, ${sums}
  from chats c join usage_days u on u.chat_id = c.id
  where c.user_id = $1 and u.day >= $2::date group by u.day, u.model order by u.day, u.model`

const chatsSql = `with own as (
    select c.id, coalesce(c.alias, c.id) as called, c.title, sum(u.input_tokens + u.output_tokens) as tokens
    from chats c join usage_days u on u.chat_id = c.id
    where c.user_id = $1 and u.day >= $2::date group by c.id order by tokens desc, c.id limit ${MOST_CHATS})
  select c.called as "chatId", c.title, u.model, ${sums}
  from own c join usage_days u on u.chat_id = c.id and u.day >= $2::date
  group by c.id, c.called, c.title, c.tokens, u.model order by c.tokens desc, c.id, u.model`
