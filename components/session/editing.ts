'use client'

import { useEffect, useSyncExternalStore } from 'react'
import { articleOf } from '@/components/app/articles'
import { listenersOf } from '@/components/ui/listeners'
import type { MessageId } from '@/lib/events'

/** The messages being edited, each with its words as they are by now; null until something is written. */
type Edits = ReadonlyMap<MessageId, string | null>

/** A tab keeps the texts of its editors: a page that is loaded again opens them again. */
const place = 'ramify-edits'
const { subscribe, tell } = listenersOf()

let known: Edits | undefined

/** Read with the first use: the first look at the storage takes a slow browser longer than the rest of this code. */
function editing(): Edits {
  known ??= kept()
  return known
}

function kept(): Edits {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(place) ?? '{}')
    return new Map(Object.entries(found ?? {}).filter(([, text]) => typeof text === 'string'))
  } catch {
    // a browser that forbids the storage keeps nothing
    return new Map()
  }
}

function change(edits: Edits): void {
  known = edits
  const written = [...edits].filter(([, text]) => text !== null)
  try {
    if (written.length > 0) sessionStorage.setItem(place, JSON.stringify(Object.fromEntries(written)))
    else sessionStorage.removeItem(place)
  } catch {
    // without room the words last as long as the page
  }
  tell()
}

/** Begins or ends the edit of a message in the thread. */
export function setEditing(id: MessageId, now: boolean): void {
  if (editing().has(id) === now) return
  const next = new Map(editing())
  if (now) next.set(id, null)
  else next.delete(id)
  // the box that closes leaves the focus with its message
  const article = now ? null : articleOf(document.activeElement)
  if (article?.dataset.messageId === id) article.focus({ preventScroll: true })
  change(next)
}

/** Keeps the text in the editor of a message. */
export const keepEdit = (id: MessageId, text: string): void => change(new Map(editing()).set(id, text))

/** The text written in the editor of a message before the page was loaded again. */
export const keptEdit = (id: MessageId): string | null => editing().get(id) ?? null

/** Tells that a message is being edited, and begins or ends it: a key begins an edit too. */
export function useEditing(id: MessageId): [boolean, (now: boolean) => void] {
  const isEditing = useSyncExternalStore(
    subscribe,
    () => editing().has(id),
    () => false,
  )
  // an edit ends with its message's place on the page
  useEffect(() => () => setEditing(id, false), [id])
  return [isEditing, (now) => setEditing(id, now)]
}
