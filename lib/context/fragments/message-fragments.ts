import type { UIMessage } from 'ai'
import { v7 } from 'uuid'
import { messageCodec } from '../codecs/message-codec'
import { isPlainObject } from './guards'
import { messageText } from './message-text'
import {
  type ConcreteMessageFragment,
  type FragmentCodec,
  LAZY_ID,
  type LazyFragment,
  type MessageFragment,
} from './types'

/** Options of the message helpers. */
export interface MessageOptions {
  /** For content given as text (or a message without an id); a message that has an id keeps it. Default: UUIDv7. */
  id?: string
}

/**
 * A message by the person (Core Concepts, “Built-in Codecs”; Rewind, “Message IDs”).
 *
 * @param content text, or a message whose id, parts and metadata are kept as they are
 * @throws TypeError when the message given has another role: `name` and role would contradict each other
 *
 * @example context.set(user('What is 2 + 2?', { id: 'q1' }))
 */
export function user(content: string | UIMessage, options: MessageOptions = {}): ConcreteMessageFragment {
  return ofRole('user', content, options)
}

/**
 * A reply by the model; like `user`, with role `assistant`.
 *
 * @throws TypeError when the message given has another role
 *
 * @example context.set(assistant('4', { id: 'a1' }))
 */
export function assistant(
  content: string | UIMessage,
  options: MessageOptions = {},
): ConcreteMessageFragment {
  return ofRole('assistant', content, options)
}

/**
 * A reply by the model, given as text (Context Engine, “save”).
 *
 * @example context.set(assistantText('Hi there!'))
 */
export function assistantText(text: string, options: MessageOptions = {}): ConcreteMessageFragment {
  return ofRole('assistant', text, options)
}

/**
 * Wraps a stored message of any role; `codec.decode()` gives back exactly what was stored (Core Concepts, “Code Flow”).
 *
 * Never throws: what another client stored may not be a UI message. It is then passed through untouched, under the
 * name `message` where it has no role; a fragment has an id even if such data has none. A UI message without an id
 * gets one.
 */
export function message(data: UIMessage): ConcreteMessageFragment {
  const stored: unknown = data
  const { id: storedId, role, parts } = isPlainObject(stored) ? stored : {}
  const name = typeof role === 'string' ? role : 'message'
  if (hasText(storedId)) return concrete(name, storedId, stored)
  const id = v7()
  return concrete(name, id, Array.isArray(parts) ? { ...data, id } : stored)
}

function ofRole(role: 'user' | 'assistant', content: string | UIMessage, options: MessageOptions) {
  if (typeof content === 'string') {
    const id = options.id ?? v7()
    return concrete(role, id, { id, role, parts: [{ type: 'text', text: content }] })
  }
  // Plain JavaScript callers may leave the role out: the helper's name says it.
  const given: string = content.role ?? role
  if (given !== role) throw new TypeError(`${role}() cannot hold a message of role "${given}"; use message()`)
  const id = hasText(content.id) ? content.id : (options.id ?? v7())
  const complete = content.id === id && content.role === role
  return concrete(role, id, complete ? content : { ...content, id, role })
}

function concrete(name: string, id: string, stored: unknown): ConcreteMessageFragment {
  return {
    id,
    name,
    data: messageText(stored),
    type: 'message',
    persist: true,
    codec: messageCodec(stored),
  }
}

function hasText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/**
 * Replaces the most recent reply without knowing its id (Core Concepts, “Lazy Fragments”).
 *
 * `save()` or `resolve()` look the id up: the last pending reply, else the last one at the branch's head, else a new
 * one. Replacing a stored reply is an edit, so it lands on a new branch and the stored one stays.
 *
 * @example
 * context.set(lastAssistantMessage(correctedText))
 * await context.save()
 */
export function lastAssistantMessage(text: string): LazyFragment & MessageFragment {
  return {
    name: 'assistant',
    type: 'message',
    persist: true,
    data: text,
    [LAZY_ID]: { type: 'last-assistant', content: text },
  }
}

/**
 * The same message under another id, on the fragment and in what its codec encodes and decodes.
 *
 * For an edit: the stored message keeps its id, the edited one gets a new one. The fragment given is left alone.
 * A fragment without codec (a lazy one) only changes its own id.
 *
 * @example withMessageId(user('Hello', { id: 'q1' }), 'q2').id // 'q2'
 */
export function withMessageId<F extends MessageFragment>(fragment: F, id: string): F & { id: string } {
  const { codec } = fragment
  return codec === undefined ? { ...fragment, id } : { ...fragment, id, codec: renamed(codec, id) }
}

function renamed(codec: FragmentCodec, id: string): FragmentCodec {
  return {
    decode: () => withId(codec.decode(), id),
    encode: () => withId(codec.encode(), id),
  }
}

function withId(value: unknown, id: string): unknown {
  return isPlainObject(value) ? { ...value, id } : value
}
