import type { Place } from '@/components/actions/on-chat'
import type { MessageId } from '@/lib/events'

const article = 'article[data-message-id]'
const isShown = (element: HTMLElement): boolean => element.offsetParent !== null

/** The messages of the thread on the page, top to bottom. */
export const allArticles = () => [...document.querySelectorAll<HTMLElement>(article)]

/** The message of the thread that has the focus, or holds it. */
export const articleOf = (focused: Element | null) => focused?.closest<HTMLElement>(article) ?? null

const graph = '[aria-label="Conversation graph"]'

/** Gives the focus to a part of the page, if it is there. */
export function focusPlace(place: Place): void {
  if (place === 'graph') {
    const region = document.querySelector(graph)
    const item = region?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')
    const to = item ?? region?.querySelector<HTMLElement>('button')
    to?.focus()
  } else if (place === 'box') {
    document.querySelector<HTMLElement>('#message-box')?.focus()
  } else {
    // in an empty chat its openers stand there
    const opener = document.querySelector<HTMLElement>('#messages a, #messages button')
    focusArticle(allArticles().at(-1) ?? opener)
  }
}

/** Focuses a message and brings it into view, its beginning first. */
export function focusArticle(to: HTMLElement | null | undefined): void {
  to?.focus({ preventScroll: true })
  to?.scrollIntoView({ block: 'nearest' })
}

/** The focus before a dialog took it. */
export function focusBefore(): { current(): Element | null; watch(): () => void } {
  let before: Element | null = null
  const isAbove = (element: Element | null) => element?.closest('[role="dialog"], [role="menu"]') != null
  return {
    current: () => (isAbove(document.activeElement) ? before : document.activeElement),
    watch() {
      const listener = ({ target }: FocusEvent) => {
        if (target instanceof Element && !isAbove(target)) before = target
      }
      document.addEventListener('focusin', listener)
      return () => document.removeEventListener('focusin', listener)
    },
  }
}

/**
 * The element beside which something opens for a message: the button it was asked from, else the message where it is in
 * sight, in the thread or in the graph.
 */
export function besideMessage(id: MessageId, from: Element | null): Element | null {
  if (from instanceof HTMLElement && from.matches('button') && isShown(from)) return from
  const name = CSS.escape(id)
  const inThread = document.querySelector<HTMLElement>(`article[data-message-id="${name}"]`)
  if (inThread && isShown(inThread)) {
    const head = inThread.querySelector('[data-message-head]') ?? inThread
    head.scrollIntoView({ block: 'nearest' })
    return head
  }
  return document.querySelector(`[data-graph-node="${name}"]`)
}
