import { newId } from '@/lib/events'
import {
  type ConcreteMessageFragment,
  isLazyFragment,
  type MessageFragment,
  withMessageId,
} from '../fragments'
import { type ContextStore, checkData, type MessageData } from '../store'
import { jsonEqual } from '../store/json-equal'

/** A pending message with what is stored under its id, if anything is. */
export interface PendingMessage {
  id: string
  fragment: ConcreteMessageFragment
  /** what its codec encodes */
  data: unknown
  stored?: MessageData
  /** stored with other data: saving it must not touch what is stored */
  isEdit: boolean
}

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

/** Looks up what is stored under the ids of pending messages. A message with `persist: false` is never looked up. */
export async function readStored(
  store: ContextStore,
  chatId: string,
  pending: readonly ConcreteMessageFragment[],
): Promise<PendingMessage[]> {
  return Promise.all(
    pending.map(async (fragment): Promise<PendingMessage> => {
      const { id } = fragment
      checkData(id)
      const inside = encodedId(fragment)
      const same = inside === undefined || inside === id ? fragment : withMessageId(fragment, id)
      const data = same.codec.encode()
      const stored = fragment.persist === false ? undefined : await store.getMessage(chatId, id)
      if (!stored) return { id, fragment: same, data, isEdit: false }
      checkData(data)
      return { id, fragment: same, data, stored, isEdit: !jsonEqual(data, stored.data) }
    }),
  )
}

/** The id inside what a message encodes, where it has one. */
function encodedId(fragment: MessageFragment): string | undefined {
  const encoded = fragment.codec?.encode()
  if (typeof encoded !== 'object' || encoded === null || !('id' in encoded)) return undefined
  return typeof encoded.id === 'string' && encoded.id !== '' ? encoded.id : undefined
}
