'use client'

import { useEffect, useSyncExternalStore } from 'react'
import { articleOf } from '@/components/app/articles'
import type { MessageId } from '@/lib/events'

let editing: ReadonlySet<MessageId> = new Set()
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Begins or ends the edit of a message in the thread. */
export function setEditing(id: MessageId, now: boolean): void {
  if (editing.has(id) === now) return
  const next = new Set(editing)
  if (now) next.add(id)
  else next.delete(id)
  editing = next
  // the box that closes leaves the focus with its message
  const article = now ? null : articleOf(document.activeElement)
  if (article?.dataset.messageId === id) article.focus({ preventScroll: true })
  for (const listener of listeners) listener()
}

/** Whether a message is being edited, and the way to change that: a key begins an edit too. */
export function useEditing(id: MessageId): [boolean, (now: boolean) => void] {
  const isEditing = useSyncExternalStore(
    subscribe,
    () => editing.has(id),
    () => false,
  )
  // an edit ends with its message's place on the page
  useEffect(() => () => setEditing(id, false), [id])
  return [isEditing, (now) => setEditing(id, now)]
}
