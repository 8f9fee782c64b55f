import { NotFoundError } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import type { ChatUsageReport, MessageMetadata, ModelFacts, UsageLine, UsageReport } from '@/lib/protocol'
import type { Ports, Spent } from '../ports'

const DAY_MS = 24 * 3_600_000

/**
 * Tokens and cost of the replies in a person's chats, by day, model and chat. A reply that several branches
 * share counts once, at today's prices; an unknown price makes the cost null, never 0.
 *
 * @param input.days up to today, in UTC
 */
export async function readUsage(
  ports: Ports,
  { ownerId, days }: { ownerId: UserId; days: number },
): Promise<UsageReport> {
  const from = new Date(ports.clock() - (days - 1) * DAY_MS).toISOString().slice(0, 10)
  const [models, spent] = await Promise.all([ports.models.of(ownerId), ports.usage.since(ownerId, from)])
  const line = (row: Spent): UsageLine => lineOf(row, models.facts(row.model).price)
  const chats = new Map<ChatId, UsageReport['chats'][number]>()
  for (const { chatId, title, ...row } of spent.chats) {
    const chat = chats.get(chatId) ?? { chat_id: chatId, title, models: [] }
    chat.models.push(line(row))
    chats.set(chatId, chat)
  }
  return {
    from,
    days: spent.days.map(({ day, ...row }) => ({ day, ...line(row) })),
    chats: [...chats.values()],
  }
}

/**
 * Tokens and cost of one chat's replies: in all, and on each branch with its inherited replies.
 *
 * @throws NotFoundError for a missing or another person's chat
 */
export async function readChatUsage(
  ports: Ports,
  { ownerId, chatId }: { ownerId: UserId; chatId: ChatId },
): Promise<ChatUsageReport> {
  const [models, usage] = await Promise.all([ports.models.of(ownerId), ports.usage.ofChat(chatId, ownerId)])
  if (!usage) throw new NotFoundError('chat', chatId)
  const lines = (byModel: (typeof usage)['total']): UsageLine[] =>
    Object.entries(byModel).map(([model, row]) => lineOf({ model, ...row }, models.facts(model).price))
  return {
    total: lines(usage.total),
    branches: Object.entries(usage.branches).map(([id, byModel]) => ({ id, models: lines(byModel) })),
  }
}

const lineOf = ({ model, replies, ...tokens }: Spent, price: ModelFacts['price']): UsageLine => ({
  model,
  replies,
  input_tokens: tokens.inputTokens,
  cached_tokens: tokens.cachedTokens,
  cache_write_tokens: tokens.cacheWriteTokens,
  output_tokens: tokens.outputTokens,
  cost_usd: costOf(price, tokens),
})

/**
 * Cost of tokens in US dollars; null for an unknown price or count. Tokens that the provider read from its
 * cache or wrote into it have prices of their own.
 */
export function costOf(price: ModelFacts['price'], usage: MessageMetadata['usage']): number | null {
  if (!price || usage?.inputTokens === undefined) return null
  const { inputTokens, outputTokens = 0 } = usage
  const cached = Math.min(usage.cachedTokens ?? 0, inputTokens)
  const written = Math.min(usage.cacheWriteTokens ?? 0, inputTokens - cached)
  const dollars =
    (inputTokens - cached - written) * price.input +
    cached * (price.cached ?? price.input) +
    written * (price.cache_write ?? price.input) +
    outputTokens * price.output
  return dollars / 1_000_000
}
