import type { MessageId } from '@/lib/events'

const article = 'article[data-message-id]'

/** The messages of the thread on the page, or in a part of it, top to bottom. */
export const allArticles = (within: ParentNode = document): HTMLElement[] => [
  ...within.querySelectorAll<HTMLElement>(article),
]

/** The message of the thread that an element is, or stands in. */
export const articleOf = (element: Element | null): HTMLElement | null =>
  element?.closest<HTMLElement>(article) ?? null

/** A message of the thread, if it is on the page, or in a part of it. */
export const articleAt = (id: MessageId, within: ParentNode = document): HTMLElement | null =>
  within.querySelector<HTMLElement>(`article[data-message-id="${CSS.escape(id)}"]`)

/** Focuses a message and brings it into view, its beginning first. */
export function focusArticle(to: HTMLElement | null | undefined): void {
  to?.focus({ preventScroll: true })
  to?.scrollIntoView({ block: 'nearest' })
}
