import type { BranchId, MessageId } from '@/lib/events'

const graph = 'section[aria-label="Conversation graph"]'

/** The element of a message or its branch in the graph; on a phone, the tab that leads there. */
function placeOf(id: MessageId | null, branchId: BranchId | null): Element | null {
  const drawn = document.querySelector(graph)
  const found = [
    branchId && drawn?.querySelector(`[role="treeitem"][data-branch="${CSS.escape(branchId)}"]`),
    id && drawn?.querySelector(`[data-graph-node="${CSS.escape(id)}"]`),
    ...document.querySelectorAll('[role="tab"][id$="-trigger-graph"]'),
  ]
  return found.find((place) => place instanceof Element && place.checkVisibility()) || null
}

/**
 * Shows where something on the page has gone: its picture shrinks into the row of its branch in the graph. Nothing moves
 * where that row is out of sight, and with reduced motion.
 *
 * @param id the message that stands for it on a map
 */
export function foldInto(element: Element, id: MessageId | null, branchId: BranchId | null): void {
  const place = placeOf(id, branchId)
  if (!place || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const [from, to] = [element.getBoundingClientRect(), place.getBoundingClientRect()]
  const picture = document.createElement('div')
  picture.inert = true
  picture.className = 'fixed z-50 overflow-hidden rounded-lg border border-line bg-raised p-3'
  Object.assign(picture.style, {
    left: `${from.left}px`,
    top: `${from.top}px`,
    width: `${from.width}px`,
    height: `${from.height}px`,
    transformOrigin: '0 0',
  })
  // words alone: a second message with the same id would be found in place of the first
  picture.textContent = element.textContent
  document.body.append(picture)
  const scale = `scale(${to.width / from.width}, ${to.height / from.height})`
  const moved = `translate(${to.left - from.left}px, ${to.top - from.top}px) ${scale}`
  const motion = picture.animate([{ opacity: 1 }, { transform: moved, opacity: 0.2 }], {
    duration: 200,
    easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)',
  })
  motion.onfinish = () => picture.remove()
  motion.oncancel = () => picture.remove()
}
