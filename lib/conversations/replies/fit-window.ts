import { createHash } from 'node:crypto'
import type { UIMessage } from 'ai'
import { aboutTokens, type ContextData, isHiddenMessage, type MessageData, promptText } from '@/lib/context'
import type { MessageId } from '@/lib/events'
import type { Ports, Summary } from '../ports'
import { compilePrompt, type Prompt } from './prompt'

/**
 * Largest share of a model's window for a prompt: the rest is for the reply, and for tokens that the estimate
 * misses.
 */
const FULL = 0.8
/** Largest share for the messages after a new summary: the summary then lasts for a while. */
const KEPT = 0.4
/** Largest share for one request for a summary. */
const READ = 0.6
/** Default for an unknown window, in tokens. */
const USUAL_WINDOW = 32_000
/** A chain with fewer characters fits every window. */
const SHORT = 2000

type Chain = readonly Pick<MessageData, 'id' | 'data'>[]
type Context = Pick<ContextData, 'fragments' | 'setup'> | null

/** A prompt, and the summary that it begins with instead of the oldest messages. */
export interface FittedPrompt extends Prompt {
  summary?: Summary
  /** tokens and calls that a new summary took, for quotas */
  summarised?: { tokens: number; calls: number }
}

/** A way to fit a chain into a window. */
type Fit =
  /** unchanged, or with a stored summary */
  | { kind: 'fits'; prompt: FittedPrompt }
  /** a summary of everything up to this message has to be written; `whole` is the prompt without it */
  | { kind: 'due'; until: MessageId; from?: Summary; window: number; whole: FittedPrompt }

/** True when a chain is so short that no window has to be asked for. */
export const isShort = (chain: Chain): boolean => {
  let length = 0
  for (const message of chain) {
    length += textOf(message).length
    if (length > SHORT) return false
  }
  return true
}

/**
 * Fits a chain into a model's window: unchanged, with the latest stored summary that makes it fit, or with a
 * summary still to be written. The decision depends on nothing else, so the inspector makes the same one
 * before the reply.
 *
 * @param chain without what the context leaves out (`promptChain`)
 * @param window tokens; null for an unknown window, and then nothing is summarised
 */
export async function fitWindow(
  { summaries }: Pick<Ports, 'summaries'>,
  chatId: string,
  chain: Chain,
  context: Context,
  window: number | null,
): Promise<Fit> {
  const whole = compilePrompt(chain, context)
  if (window === null || fits(whole, window * FULL)) return { kind: 'fits', prompt: whole }
  const places = new Map(chain.map(({ id }, at) => [id, at]))
  const leftOut = leftOutKey(context)
  const stored = await summaries.of(chatId, [...places.keys()])
  const usable = stored.filter((summary) => summary.leftOut === leftOut)
  const inOrder = usable.toSorted((one, other) => placeOf(places, one) - placeOf(places, other))
  const latest = inOrder.at(-1)
  const prompt = latest ? summarisedPrompt(chain, context, latest) : whole
  if (latest && fits(prompt, window * FULL)) return { kind: 'fits', prompt }
  const until = cutOf(chain, window * KEPT)
  const message = until === undefined ? undefined : chain[until]
  if (until === undefined || !message || until <= (latest ? placeOf(places, latest) : -1)) {
    return { kind: 'fits', prompt }
  }
  return { kind: 'due', until: message.id, window, whole, ...(latest && { from: latest }) }
}

/**
 * The prompt of a chain in a window. The stored chain stays whole: when it is too long, the oldest messages
 * are summarised for the prompt alone. The summary is stored once and used again, on every branch from there.
 * When the model cannot write a summary, the whole chain is sent, and the provider accepts or refuses it.
 */
export async function fittedPrompt(
  ports: Ports,
  { chatId, model, chain, context, window, signal }: Fitting,
): Promise<FittedPrompt> {
  const fit = await fitWindow(ports, chatId, chain, context, window)
  if (fit.kind === 'fits') return fit.prompt
  try {
    const written = await writeSummary(ports, { chatId, model, chain, signal }, fit)
    const summary = await ports.summaries.save(chatId, {
      messageId: fit.until,
      leftOut: leftOutKey(context),
      text: written.text,
      model,
    })
    return { ...summarisedPrompt(chain, context, summary), summarised: written }
  } catch (error) {
    if (!signal.aborted) ports.logError(`summarising chat ${chatId} with ${model}`, error)
    return fit.whole
  }
}

interface Fitting {
  chatId: string
  model: string
  chain: Chain
  context: Context
  window: number | null
  signal: AbortSignal
}

/**
 * Names the messages that a context leaves out of the prompt: a summary of a chain holds for prompts that
 * leave out the same ones.
 */
export function leftOutKey(context: Context): string {
  const ids = context?.setup?.leftOut ?? []
  return ids.length === 0 ? '' : createHash('sha256').update(ids.join('\n')).digest('hex')
}

/** The prompt in which a summary stands for the messages up to its own. */
export function summarisedPrompt(chain: Chain, context: Context, summary: Summary): FittedPrompt {
  const at = chain.findIndex(({ id }) => id === summary.messageId)
  return { ...compilePrompt(chain.slice(at + 1), context, summary.text), summary }
}

/** A summary of a whole chain. Rejects when the model fails. */
export async function summaryOf(
  ports: Ports,
  { window, ...asked }: Omit<Fitting, 'context'>,
): Promise<string> {
  const until = asked.chain.at(-1)?.id ?? ''
  return (await writeSummary(ports, asked, { until, window: window ?? USUAL_WINDOW })).text
}

/** Asks for the summary part by part: the text to summarise may be longer than the window too. */
async function writeSummary(
  ports: Ports,
  { chatId, model, chain, signal }: Omit<Fitting, 'context' | 'window'>,
  { until, from, window }: Pick<Extract<Fit, { kind: 'due' }>, 'until' | 'from' | 'window'>,
): Promise<{ text: string; tokens: number; calls: number }> {
  const begin = from ? chain.findIndex(({ id }) => id === from.messageId) + 1 : 0
  const end = chain.findIndex(({ id }) => id === until) + 1
  const said = chain.slice(begin, end).flatMap(({ data }) => {
    if (isHiddenMessage(data)) return []
    const { role } = data as UIMessage
    return [`${role === 'user' ? 'User' : 'Assistant'}: ${promptText(data as UIMessage)}`]
  })
  const written = { text: from?.text ?? '', tokens: 0, calls: 0 }
  for (const part of partsOf(said.join('\n\n'), window * READ)) {
    const before = written.text === '' ? '' : `Summary of what came before:\n${written.text}\n\n`
    const { text, tokens } = await ports.summarise({
      chatId,
      model,
      prompt: before + part,
      abortSignal: signal,
    })
    if (text.trim() === '') throw new Error('The model wrote an empty summary')
    written.text = text.trim()
    written.tokens += tokens
    written.calls += 1
  }
  return written
}

/** Pieces of a text of about so many tokens each. */
function* partsOf(text: string, tokens: number): Generator<string> {
  const perToken = text.length / Math.max(1, aboutTokens([text]))
  const size = Math.max(1000, Math.floor(tokens * perToken))
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

/**
 * The last message to summarise: the rest begins with a question, and holds the last question in any case.
 */
function cutOf(chain: Chain, tokens: number): number | undefined {
  let left = tokens
  let until: number | undefined
  for (let at = chain.length - 1; at > 0; at--) {
    const message = chain[at]
    if (!message) break
    left -= aboutTokens([textOf(message)])
    if (left < 0 && until !== undefined) break
    if ((message.data as UIMessage).role === 'user') until = at - 1
  }
  return until
}

function fits({ instructions, messages }: Prompt, tokens: number): boolean {
  const texts = [instructions, ...messages.map(promptText)]
  // a token has a character at least
  if (texts.reduce((sum, { length }) => sum + length, 0) <= tokens) return true
  return aboutTokens(texts) <= tokens
}

const textOf = ({ data }: Pick<MessageData, 'data'>): string => promptText(data as UIMessage)

const placeOf = (places: ReadonlyMap<string, number>, { messageId }: Summary): number =>
  places.get(messageId) ?? -1
