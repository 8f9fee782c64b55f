/** What can be pressed, filled in or followed. */
const control = [
  'button',
  'a[href]',
  'input',
  'textarea',
  'select',
  'summary',
  '[role=button]',
  '[role=radio]',
  '[role=combobox]',
  '[role=tab]',
  '[role=slider]',
  '[role=separator][tabindex]',
].join(',')

export interface Control {
  /** the name that a screen reader says */
  name: string
  /** the words that are read on it; empty for an icon */
  words: string
  /** it is a row of the graph, or a name in one */
  isRow: boolean
}

/** A message or a branch of the graph, and the names that lie above it. */
const graphRow = '[role=treeitem], [data-row-names]'

/** The controls that a person sees without moving the pointer or the focus: in the window, drawn, and with their faces uncovered. */
export function controlsInSight(): Control[] {
  return [...document.querySelectorAll<HTMLElement>(control)].filter(isInSight).map((element) => ({
    name: nameOf(element),
    words: wordsOf(element),
    isRow: element.closest(graphRow) !== null,
  }))
}

function isInSight(element: HTMLElement): boolean {
  if (element.closest('[aria-hidden="true"], [inert]')) return false
  if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
  const { left, top, right, bottom } = seenPart(element)
  return right - left > 1 && bottom - top > 1
}

/** The part of an element that lies in the window and in every frame around it that cuts. */
function seenPart(element: HTMLElement) {
  const part = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
  for (let at: HTMLElement | null = element; at; at = at.parentElement) {
    if (at !== element && getComputedStyle(at).overflow === 'visible') continue
    const { left, top, right, bottom } = at.getBoundingClientRect()
    part.left = Math.max(part.left, left)
    part.top = Math.max(part.top, top)
    part.right = Math.min(part.right, right)
    part.bottom = Math.min(part.bottom, bottom)
  }
  return part
}

const nameOf = (element: HTMLElement): string =>
  element.getAttribute('aria-label') ?? element.innerText.replace(/\s+/g, ' ').trim()

/** An input is read by what stands in it. */
const wordsOf = (element: HTMLElement): string =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
    ? element.placeholder || element.value
    : element.innerText.replace(/\s+/g, ' ').trim()
