import type { UIMessage } from 'ai'
import {
  aboutTokens,
  answersIn,
  beforeSeam,
  type ContextData,
  type MessageData,
  NotFoundError,
  onlyAnswered,
  promptChain,
  promptText,
} from '@/lib/context'
import { type ChatId, type MessageId, seamsIn, type UserId } from '@/lib/events'
import type { MessageMetadata, SentPrompt } from '@/lib/protocol'
import { Turns } from '@/lib/transfer'
import type { Ports, Summary } from '../ports'
import { fitWindow, leftOutKey, summarisedPrompt } from '../replies/fit-window'
import { compilePrompt, type Prompt } from '../replies/prompt'
import { choicesIn, idleWork, roomBeside, tokensOf, toolsFor } from '../replies/reply-tools'
import { modelOf } from '../turns/choices'
import { contextInForce } from '../turns/context-value'
import { costOf } from '../usage/read-usage'
import { keptPart } from './kept-part'

/**
 * The exact prompt of a past or next reply, compiled by the same code as every reply's.
 *
 * @param input.message a reply, for its own prompt; a question, for the prompt of a reply to it
 * @param input.branch without `message`: the prompt of this branch's next reply, without the next message;
 * the
 *   active branch unless given
 * @param input.model the model of the next reply; the branch's unless given
 * @throws NotFoundError for a missing or another person's chat, branch or message
 */
export async function readPrompt(
  ports: Ports,
  input: { ownerId: UserId; chatId: ChatId; branch?: string; message?: MessageId; model?: string },
): Promise<SentPrompt> {
  const [models, asked] = await Promise.all([
    ports.models.of(input.ownerId),
    input.message === undefined
      ? ofBranch(ports, input)
      : ofMessage(ports, { ...input, message: input.message }),
  ])
  const { reply } = asked
  const context = contextInForce(models, asked.context)
  const chain = promptChain(asked.chain, context.setup, { answered: asked.answered })
  const model = reply?.model ?? input.model ?? modelOf(models, context)
  const { window, price, input: taken } = models.facts(model)
  const wish = { chatId: input.chatId, model, models, choices: choicesIn(context), work: idleWork }
  const { sent: tools, close } = await toolsFor(ports, wish)
  await close()
  const { prompt: compiled, compacted } = await inWindow(ports, input.chatId, {
    chain,
    context,
    reply,
    window: roomBeside({ sent: tools }, window),
  })
  const place = { chatId: input.chatId, input: taken }
  const prompt = {
    ...compiled,
    messages: await ports.withFiles(compiled.messages, place),
    continues: asked.continues,
  }
  const { system, messages, from } = await models.sentTo(model, prompt)
  const begun = Map.groupBy(from, (message) => message)
  const tokens = {
    system: aboutTokens([system ?? '']),
    messages: await new Turns().map(
      // system messages of an imported chat are part of the system prompt
      prompt.messages.filter(({ role }) => role !== 'system'),
      (message) => ({
        message_id: message.id,
        tokens: aboutTokens([promptText(message)]),
        sent: begun.get(message)?.length ?? 0,
      }),
    ),
  }
  const told = tokensOf({ sent: tools })
  const total = tokens.messages.reduce((sum, message) => sum + message.tokens, tokens.system + told)
  const { cache, estimate_usd } = await keptPart(ports, {
    chatId: input.chatId,
    model,
    price,
    tokens: { system: tokens.system, tools: told, messages: tokens.messages },
    ...(reply && { reply: { id: reply.id, tokens: reply.tokens, usage: reply.usage ?? {} } }),
  })
  return {
    model,
    context_id: asked.context?.id ?? null,
    system: system ?? null,
    messages,
    tools,
    settings: prompt.settings,
    tokens: { ...tokens, ...(told > 0 && { tools: told }), total, window },
    cost: { estimate_usd, actual_usd: costOf(price, reply?.usage) },
    cache,
    compacted,
  }
}

interface Asked {
  chain: readonly MessageData[]
  /** the last message of the chain, when the reply answers or continues it */
  answered: MessageId | null
  context: ContextData | null
  /** the last message is a cut reply, to be gone on with */
  continues?: boolean
  /** facts of the reply that was asked for */
  reply?: Pick<MessageMetadata, 'model' | 'usage' | 'compacted'> & { id: MessageId; tokens: number }
}

/**
 * The prompt as fitted to the model's window: a reply's as its metadata record it, the next one's as it will
 * be. A summary that is not written yet reads as empty.
 */
async function inWindow(
  ports: Ports,
  chatId: ChatId,
  {
    chain,
    context,
    reply,
    window,
  }: Pick<Asked, 'chain' | 'reply'> & { context: ContextData; window: number | null },
): Promise<{ prompt: Prompt; compacted: SentPrompt['compacted'] }> {
  const summarised = (summary: Summary) => ({
    prompt: summarisedPrompt(chain, context, summary),
    compacted: { until_message_id: summary.messageId, summary: summary.text },
  })
  if (reply) {
    const known = reply.compacted ? await ports.summaries.of(chatId, [reply.compacted]) : []
    const stored = known.find(({ leftOut }) => leftOut === leftOutKey(context))
    return stored ? summarised(stored) : { prompt: compilePrompt(chain, context), compacted: null }
  }
  const fit = await fitWindow(ports, chatId, chain, context, window)
  if (fit.kind === 'due') return summarised({ messageId: fit.until, leftOut: leftOutKey(context), text: '' })
  const { summary } = fit.prompt
  const compacted = summary ? { until_message_id: summary.messageId, summary: summary.text } : null
  return { prompt: fit.prompt, compacted }
}

async function ofBranch(
  ports: Ports,
  { ownerId, chatId, branch }: { ownerId: UserId; chatId: ChatId; branch?: string },
): Promise<Asked> {
  const { chat, state } = await ports.reads.branchState(chatId, ownerId, branch || undefined)
  if (chat !== 'own') throw new NotFoundError('chat', chatId)
  if (!state) throw new NotFoundError('branch', branch ?? '')
  const chain = state.headId === null ? [] : await ports.store.getMessageChain(chatId, state.headId)
  const last = chain.at(-1)
  return { chain, answered: last && last.name !== 'assistant' ? last.id : null, context: state.context }
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
  const own = isReply ? chain.at(-1) : undefined
  // the prompt of a reply after a person's answers had them, and the results of those tools
  const seam = own && seamsIn(own.data as UIMessage).at(-1)
  const before = own && seam && [{ ...own, data: beforeSeam(own.data, seam) }]
  const answered = own && answersIn(own.data).length > 0 ? [{ ...own, data: onlyAnswered(own.data) }] : []
  const asked = isReply ? [...chain.slice(0, -1), ...(before ?? answered)] : chain
  return {
    chain: asked,
    answered: asked.at(-1)?.id ?? null,
    continues: before !== undefined,
    context: found.askedIn ?? found.context,
    ...(isReply &&
      metadata && {
        reply: {
          ...metadata,
          id: message,
          tokens: aboutTokens([promptText(found.message.data as UIMessage)]),
        },
      }),
  }
}
