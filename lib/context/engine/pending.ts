import { newId } from '@/lib/events'
import {
  assistantText,
  type ConcreteMessageFragment,
  isLazyFragment,
  isMessageFragment,
  LAZY_ID,
  type LazyConfig,
  type MessageFragment,
  withMessageId,
} from '../fragments'
import type { PendingMessage } from '../planners/plan-save'
import { type ContextStore, checkData, type MessageData } from '../store'
import { jsonEqual } from '../store/json'

/**
 * A message as it is queued: it has an id, and what its codec encodes has the same one.
 *
 * @throws TypeError for a message that neither has a codec nor is lazy: it could never be saved
 */
export function toPending(fragment: MessageFragment): MessageFragment {
  if (isLazyFragment(fragment)) return fragment
  if (!fragment.codec) throw new TypeError(`Message fragment "${fragment.name}" needs a codec`)
  return fragment.id === undefined ? withMessageId(fragment, encodedId(fragment) ?? newId()) : fragment
}

/**
 * Pending messages in order, each id once: of two with one id the later wins and takes the place of the earlier.
 *
 * @param pending without lazy fragments
 */
export function withoutRepeats(pending: readonly MessageFragment[]): ConcreteMessageFragment[] {
  const byId = new Map<string, ConcreteMessageFragment>()
  for (const fragment of pending) {
    const { id, codec } = fragment
    if (id === undefined || !codec) throw new TypeError(`Message fragment "${fragment.name}" needs a codec`)
    byId.set(id, { ...fragment, id, codec })
  }
  return [...byId.values()]
}

/** A message as `save` would store it, assumed to be new. */
export function toDraft(fragment: ConcreteMessageFragment): PendingMessage {
  const { id } = fragment
  const inside = encodedId(fragment)
  const same = inside === undefined || inside === id ? fragment : withMessageId(fragment, id)
  return { id, fragment: same, data: same.codec.encode(), isEdit: false }
}

/**
 * Looks up the stored messages under the ids of pending ones. A message with `persist: false` is never looked
 * up.
 */
export const withStored = (
  store: ContextStore,
  chatId: string,
  drafts: readonly PendingMessage[],
): Promise<PendingMessage[]> =>
  Promise.all(
    drafts.map(async (draft) => {
      checkData(draft.id)
      const stored = draft.fragment.persist === false ? undefined : await store.getMessage(chatId, draft.id)
      if (!stored) return draft
      checkData(draft.data)
      return { ...draft, stored, isEdit: !jsonEqual(draft.data, stored.data) }
    }),
  )

/** The id within a message's encoded data, if any. */
function encodedId(fragment: MessageFragment): string | undefined {
  const encoded = fragment.codec?.encode()
  if (typeof encoded !== 'object' || encoded === null || !('id' in encoded)) return undefined
  return typeof encoded.id === 'string' && encoded.id !== '' ? encoded.id : undefined
}

/** A reply is nearly always among the last few messages: look there before reading the whole chain. */
const NEAR = 16

/**
 * Gives every lazy fragment its id (Core Concepts, “Resolution Process”): that of the newest reply that is pending
 * itself, else of the last one stored on the chain, else a new one.
 *
 * @param pending left as it is; the answer has the same order
 * @param lastStoredReply asked once at most, and only when it is needed
 * @throws Error `Unknown lazy fragment type: …`
 */
export async function resolveLazyFragments(
  pending: readonly MessageFragment[],
  lastStoredReply: () => Promise<string | undefined>,
): Promise<MessageFragment[]> {
  const resolved = [...pending]
  for (const [index, fragment] of resolved.entries()) {
    if (!isLazyFragment(fragment)) continue
    const { content } = lastAssistantConfig(fragment[LAZY_ID])
    const id = newestPendingReply(resolved) ?? (await lastStoredReply()) ?? newId()
    resolved[index] = assistantText(content, { id })
  }
  return resolved
}

/**
 * The id of the last reply on a chain, undefined when it has none.
 *
 * @param headId head of the chain; null for an empty branch
 */
export async function findLastReply(
  store: ContextStore,
  chatId: string,
  headId: string | null,
): Promise<string | undefined> {
  if (headId === null) return undefined
  const near = await store.getMessageChain(chatId, headId, { last: NEAR })
  const reply = near.findLast(isReply)
  if (reply || near.length < NEAR) return reply?.id
  return (await store.getMessageChain(chatId, headId)).findLast(isReply)?.id
}

const isReply = (message: MessageData): boolean => message.name === 'assistant'

function newestPendingReply(pending: readonly MessageFragment[]): string | undefined {
  return pending.findLast(
    (fragment) => isMessageFragment(fragment) && fragment.name === 'assistant' && !isLazyFragment(fragment),
  )?.id
}

function lastAssistantConfig(lazy: LazyConfig): LazyConfig {
  // Plain JavaScript callers, and newer versions, may know other types.
  const type: string = lazy.type
  if (type !== 'last-assistant') throw new Error(`Unknown lazy fragment type: ${type}`)
  return lazy
}
