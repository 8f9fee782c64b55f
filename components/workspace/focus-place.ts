import type { Place } from '@/components/actions/on-chat'
import { allArticles, articleAt, focusArticle } from '@/components/app/articles'
import type { MessageId } from '@/lib/events'

const isShown = (element: HTMLElement): boolean => element.offsetParent !== null

/** The focus is where nothing is seen, or nowhere: the part of the page that had it is hidden. */
export const isFocusLost = (): boolean =>
  !(document.activeElement instanceof HTMLElement && isShown(document.activeElement))

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
  const inThread = articleAt(id)
  if (inThread && isShown(inThread)) {
    const head = inThread.querySelector('[data-message-head]') ?? inThread
    head.scrollIntoView({ block: 'nearest' })
    return head
  }
  return document.querySelector(`[data-graph-node="${CSS.escape(id)}"]`)
}
