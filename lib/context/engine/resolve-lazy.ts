import { newId } from '@/lib/events'
import {
  assistantText,
  isLazyFragment,
  isMessageFragment,
  LAZY_ID,
  type LazyConfig,
  type MessageFragment,
} from '../fragments'
import type { ContextStore, MessageData } from '../store'

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
