import { type ContextData, estimateTokens, type MessageData, NotFoundError, searchText } from '@/lib/context'
import type { ChatId, MessageId, UserId } from '@/lib/events'
import type { MessageMetadata, SentPrompt } from '@/lib/protocol'
import type { AvailableModels, Ports } from '../ports'
import { compilePrompt } from '../replies/prompt'
import { contextFor } from '../turns/context-value'

/**
 * Exactly what a reply was asked with, or will be: the same compilation as every reply's.
 *
 * @param input.message a reply: what it was asked with; a question: what a reply to it is asked with
 * @param input.branch without `message`: what the next reply of this branch is asked with, besides the next message; the
 *   active branch unless given
 * @throws NotFoundError for a chat, branch or message that is missing or someone else's
 */
export async function readPrompt(
  ports: Ports,
  input: { ownerId: UserId; chatId: ChatId; branch?: string; message?: MessageId },
): Promise<SentPrompt> {
  const [models, asked] = await Promise.all([
    ports.models.of(input.ownerId),
    input.message === undefined
      ? ofBranch(ports, input)
      : ofMessage(ports, { ...input, message: input.message }),
  ])
  const { chain, reply } = asked
  const context = contextFor(models.defaultId, asked.context)
  const model = reply?.model ?? context.model ?? models.defaultId
  const prompt = compilePrompt(chain, context)
  const { system, messages } = await ports.written(prompt)
  const tokens = {
    system: estimateTokens(system ?? ''),
    messages: chain.map(({ id, data }) => ({ message_id: id, tokens: estimateTokens(searchText(data)) })),
  }
  const total = tokens.messages.reduce((sum, message) => sum + message.tokens, tokens.system)
  const facts = models.facts(model)
  return {
    model,
    context_id: asked.context?.id ?? null,
    system: system ?? null,
    messages,
    tools: [],
    tokens: { ...tokens, total, window: facts.window },
    cost: {
      estimate_usd: costOf(facts.price, { inputTokens: total }),
      actual_usd: costOf(facts.price, reply?.usage),
    },
    compacted: null,
  }
}

interface Asked {
  chain: MessageData[]
  context: ContextData | null
  /** what is known of the reply that was asked for */
  reply?: Pick<MessageMetadata, 'model' | 'usage'>
}

async function ofBranch(
  ports: Ports,
  { ownerId, chatId, branch }: { ownerId: UserId; chatId: ChatId; branch?: string },
): Promise<Asked> {
  const { chat, state } = await ports.reads.branchState(chatId, ownerId, branch || undefined)
  if (chat !== 'own') throw new NotFoundError('chat', chatId)
  if (!state) throw new NotFoundError('branch', branch ?? '')
  const chain = state.headId === null ? [] : await ports.store.getMessageChain(chatId, state.headId)
  return { chain, context: state.context }
}

async function ofMessage(
  ports: Ports,
  { ownerId, chatId, message }: { ownerId: UserId; chatId: ChatId; message: MessageId },
): Promise<Asked> {
  const found = await ports.reads.message(chatId, ownerId, message)
  if (!found) throw new NotFoundError('message', message)
  const isReply = found.message.name === 'assistant'
  const chain = await ports.store.getMessageChain(chatId, message)
  const { metadata } = found.message.data as { metadata?: MessageMetadata }
  return {
    chain: isReply ? chain.slice(0, -1) : chain,
    context: found.context,
    ...(isReply && metadata && { reply: metadata }),
  }
}

/** What tokens cost in US dollars; null where the price or the count is not known. */
function costOf(
  price: ReturnType<AvailableModels['facts']>['price'],
  usage: MessageMetadata['usage'],
): number | null {
  if (!price || usage?.inputTokens === undefined) return null
  return (usage.inputTokens * price.input + (usage.outputTokens ?? 0) * price.output) / 1_000_000
}
