import { LAZY_ID, type LazyFragment, type MessageFragment } from './types'

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
