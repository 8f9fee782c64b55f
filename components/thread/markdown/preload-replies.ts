import { articleAt } from '@/components/app/articles'
import { preloadMarkdown } from './deferred-markdown'

/**
 * Loads what draws replies where the pointer or the focus is on something of the graph that the thread has not drawn: a
 * click there would show it. A page that shows all of its chat needs none of that code.
 */
export function preloadReplies({ target }: { target: EventTarget }): void {
  const to =
    target instanceof Element ? target.closest<HTMLElement>('[data-graph-node], [data-branch]') : null
  if (!to) return
  const article = articleAt(to.dataset.graphNode ?? '')
  if (!article || article.querySelector('[data-drawn-later]')) preloadMarkdown()
}
