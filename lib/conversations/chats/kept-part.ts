import { isKept, KEPT_MS } from '@/lib/context/estimate/kept-prompts'
import type { MessageId } from '@/lib/events'
import type { ModelFacts, SentPrompt } from '@/lib/protocol'
import type { Ports } from '../ports'
import { costOf } from '../usage/read-usage'

interface Sent {
  chatId: string
  model: string
  price: ModelFacts['price']
  /** estimates; messages in their order */
  tokens: { system: number; tools: number; messages: readonly { message_id: MessageId; tokens: number }[] }
  /** the reply that was asked for, where there is one */
  reply?: { id: MessageId; tokens: number; usage: { cachedTokens?: number; cacheWriteTokens?: number } }
}

/**
 * The part of a prompt that its provider reads from its cache, and the prices with it: of a reply as it was counted, else an
 * estimate. A provider holds what it was asked in the last minutes, up to each question and to the message before it.
 */
export async function keptPart(
  ports: Pick<Ports, 'reads' | 'clock'>,
  { chatId, model, price, tokens, reply }: Sent,
): Promise<Pick<SentPrompt, 'cache'> & Pick<SentPrompt['cost'], 'estimate_usd'>> {
  const fixed = tokens.system + tokens.tools
  const total = tokens.messages.reduce((sum, message) => sum + message.tokens, fixed)
  const below = total + (reply?.tokens ?? 0)
  if (!isKept(price, below)) {
    return { cache: null, estimate_usd: costOf(price, { inputTokens: total }) }
  }
  const asked = await ports.reads.askedSince(chatId, { model, since: ports.clock() - KEPT_MS })
  const places = new Set(asked.flatMap(({ id, parentId }) => [id, parentId]))
  let held = 0
  let upTo = fixed
  for (const message of [
    ...tokens.messages,
    ...(reply ? [{ message_id: reply.id, tokens: reply.tokens }] : []),
  ]) {
    upTo += message.tokens
    if (places.has(message.message_id) && isKept(price, upTo)) held = upTo
  }
  const use = (input: number, read: number, written = input - read) => ({
    inputTokens: input,
    cachedTokens: read,
    cacheWriteTokens: written,
  })
  const now = reply
    ? use(total, reply.usage.cachedTokens ?? 0, reply.usage.cacheWriteTokens ?? 0)
    : use(total, held)
  return {
    cache: {
      read: now.cachedTokens,
      written: now.cacheWriteTokens,
      branch: { read: held, estimate_usd: costOf(price, use(below, held)) },
    },
    estimate_usd: costOf(price, now),
  }
}
