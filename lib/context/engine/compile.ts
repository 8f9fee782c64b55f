import type { UIMessage } from 'ai'
import { type ContextFragment, isHiddenMessage, type LoadContext, message, resolveValues } from '../fragments'
import { isPlainObject } from '../fragments/guards'
import { isReminder } from '../fragments/reminders'
import type { MessageData } from '../store'
import { type AddedReminder, applyReminders } from './apply-reminders'
import { joinAnswers } from './tool-answers'
import type { FragmentRenderer, ResolveResult } from './types'

type Chain = readonly Pick<MessageData, 'data'>[]

/**
 * Input of the model: the fragments as system prompt, the chain as messages (Core Concepts, “Resolve Flow”).
 * Pure and without a session, so two streams cannot collide.
 *
 * Departure: empty replies are left out, since providers refuse them. An attempt that failed before its first
 * word leaves one.
 *
 * @param chain stored messages, root first
 * @param fragments messages and reminders among them are not rendered
 * @throws FragmentValueError for a function or promise in a fragment
 *
 * @example const { systemPrompt, messages } = compile({ chain, fragments: [role('Be kind')], renderer })
 */
export function compile(input: {
  chain: Chain
  fragments: readonly ContextFragment[]
  renderer: FragmentRenderer
}): ResolveResult {
  return {
    systemPrompt: input.renderer.render(input.fragments),
    messages: promptMessages(input.chain, []),
  }
}

/** A prompt, and its sources. */
export interface Prompt extends ResolveResult {
  /** the fragments that are not messages, with values for functions and promises */
  context: ContextFragment[]
  /** in the order they were added */
  reminders: AddedReminder[]
}

/**
 * Like `compile`, with the values of functions and promises and with the reminders that are due.
 *
 * @param input.added decoded messages that are not stored yet, after those of the chain
 * @throws FragmentValueError for a function, promise or reminder that fails
 */
export async function compilePrompt(input: {
  chain: Chain
  added: readonly unknown[]
  fragments: readonly ContextFragment[]
  renderer: FragmentRenderer
  place: Pick<LoadContext, 'chatId' | 'branch'>
}): Promise<Prompt> {
  const loadContext = { ...input.place, messages: promptMessages(input.chain, input.added) }
  const reminders = input.fragments.filter(isReminder).map(({ metadata }) => metadata.reminder)
  const [context, { messages, added }] = await Promise.all([
    resolveValues(input.fragments, loadContext),
    applyReminders(reminders, loadContext),
  ])
  return { systemPrompt: input.renderer.render(context), messages, context, reminders: added }
}

const promptMessages = (chain: Chain, added: readonly unknown[]): unknown[] =>
  joinAnswers([...chain.map(({ data }) => decoded(data)), ...added]).filter(
    (data) => !isPlaceholder(data) && !isHiddenMessage(data),
  )

/** Decodes stored data. A value with an id is its own result, so mostly no fragment is made. */
function decoded(data: unknown): unknown {
  const hasId =
    typeof data === 'object' && data !== null && 'id' in data && typeof data.id === 'string' && data.id !== ''
  return hasId ? data : toMessageFragment(data).codec.decode()
}

/** True when a message is a reply of which the model would read nothing. */
const isPlaceholder = (data: unknown): boolean =>
  isPlainObject(data) && data.role === 'assistant' && Array.isArray(data.parts) && data.parts.every(isBlank)

/** A blank text that a provider gave metadata (a signature) has a meaning to that provider. */
function isBlank(part: unknown): boolean {
  if (!isPlainObject(part) || part.providerMetadata !== undefined) return false
  const { type, text } = part
  return type === 'step-start' || ((type === 'text' || type === 'reasoning') && String(text).trim() === '')
}

/** A stored message as the fragment it was; data that is no UI message passes through as it is. */
export const toMessageFragment = (data: unknown) => message(data as UIMessage)
