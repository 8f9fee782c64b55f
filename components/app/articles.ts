import type { MessageId } from '@/lib/events'

const article = 'article[data-message-id]'
const closedSteps = 'details[data-steps]:not([open])'

/** The messages of the thread on the page, or in a part of it, top to bottom; without those in a closed run of steps. */
export const allArticles = (within: ParentNode = document): HTMLElement[] =>
  [...within.querySelectorAll<HTMLElement>(article)].filter((each) => !each.closest(closedSteps))

/** The message of the thread that an element is, or stands in. */
export const articleOf = (element: Element | null): HTMLElement | null =>
  element?.closest<HTMLElement>(article) ?? null

/**
 * A message of the thread, if it is on the page, or in a part of it. A message that only answers calls stands in the
 * message that called.
 */
export const articleAt = (id: MessageId, within: ParentNode = document): HTMLElement | null =>
  within.querySelector<HTMLElement>(
    `article[data-message-id="${CSS.escape(id)}"], article[data-answered-in~="${CSS.escape(id)}"]`,
  )

/** Opens the run of steps that a message is folded in. */
export function openSteps(of: HTMLElement): void {
  const closed = of.closest<HTMLDetailsElement>(closedSteps)
  if (closed) closed.open = true
}

/** Focuses a message and brings it into view, its beginning first. */
export function focusArticle(to: HTMLElement | null | undefined): void {
  to?.focus({ preventScroll: true })
  to?.scrollIntoView({ block: 'nearest' })
}
