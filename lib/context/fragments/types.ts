import type { ChatId } from '@/lib/events'

/** Role of a fragment: part of the system prompt, or one message of the conversation. */
export type FragmentType = 'fragment' | 'message'

/** Anything a fragment may hold; fragments nest to any depth. */
export type FragmentData =
  | string
  | number
  | null
  | undefined
  | boolean
  | ContextFragment
  | FragmentData[]
  | FragmentObject
  | Promise<FragmentData>
  | FragmentLoader

/**
 * Makes data when a prompt is made: `resolve()` calls it once, and again the next time. It must not await the engine it is
 * set on, which does one thing at a time.
 */
export type FragmentLoader = (context: LoadContext) => FragmentData | Promise<FragmentData>

/** Input of a loader. */
export interface LoadContext {
  chatId: ChatId
  /** Name of the branch. */
  branch: string
  /** The messages of the prompt, root first, pending ones included: a search by the last question needs it. */
  messages: readonly unknown[]
}

/** A plain object of fragment data: one entry per key. */
export interface FragmentObject {
  [key: string]: FragmentData
}

/**
 * The atomic building block of a context (Core Concepts, “ContextFragment Interface”).
 *
 * @example
 * const brief: ContextFragment<string> = { name: 'hint', data: 'Be brief.' }
 */
export interface ContextFragment<T extends FragmentData = FragmentData> {
  /** Always present on messages that a helper made; optional elsewhere (a memory to forget later, say). */
  id?: string
  /** Tag name: `role`, `user`, `hint`… */
  name: string
  data: T
  type?: FragmentType
  /** Written to the store by `save()`. */
  persist?: boolean
  codec?: FragmentCodec
  metadata?: Record<string, unknown>
}

/**
 * Turns a fragment into its stored form and back (Core Concepts, “Codec System”). A message needs one; any other fragment may
 * have one, and then says what it decodes instead of its data. Both give the same at every call.
 */
export interface FragmentCodec {
  /** Storage → AI SDK, for `resolve()`; the printed data of a fragment that is not a message. */
  decode(): unknown
  /** AI SDK → storage, for `save()`; of a fragment that is no message, its flat form: `fromFragment`. */
  encode(): unknown
}

/** A fragment that is one message of the conversation. A lazy one has no id and no codec yet. */
export interface MessageFragment extends ContextFragment {
  type: 'message'
}

/** A message fragment that can be stored as it is: `id` equals the id of the message its codec encodes. */
export interface ConcreteMessageFragment extends MessageFragment {
  id: string
  codec: FragmentCodec
}

/** Marks a lazy fragment. Registered globally, so that two bundles of this module agree on it. */
export const LAZY_ID: unique symbol = Symbol.for('ramify.lazy-id')

/** Lookup that `save()` makes before a lazy fragment becomes a message. */
export interface LazyConfig {
  type: 'last-assistant'
  content: string
}

/** A fragment whose id is decided at `save()` (Core Concepts, “Lazy Fragments”). */
export interface LazyFragment extends ContextFragment {
  [LAZY_ID]?: LazyConfig
}
