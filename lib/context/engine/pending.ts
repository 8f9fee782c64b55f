import { newId } from '@/lib/events'
import {
  type ConcreteMessageFragment,
  isLazyFragment,
  type MessageFragment,
  withMessageId,
} from '../fragments'
import type { PendingMessage } from '../planners/plan-save'
import { type ContextStore, checkData } from '../store'
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

/** A message as `save` would store it, taken for one that is not stored yet. */
export function toDraft(fragment: ConcreteMessageFragment): PendingMessage {
  const { id } = fragment
  const inside = encodedId(fragment)
  const same = inside === undefined || inside === id ? fragment : withMessageId(fragment, id)
  return { id, fragment: same, data: same.codec.encode(), isEdit: false }
}

/** Looks up what is stored under the ids of pending messages. A message with `persist: false` is never looked up. */
export const readStored = (
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

/** The id inside what a message encodes, where it has one. */
function encodedId(fragment: MessageFragment): string | undefined {
  const encoded = fragment.codec?.encode()
  if (typeof encoded !== 'object' || encoded === null || !('id' in encoded)) return undefined
  return typeof encoded.id === 'string' && encoded.id !== '' ? encoded.id : undefined
}
