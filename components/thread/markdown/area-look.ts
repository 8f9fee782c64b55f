import { LayoutCost } from './layout-cost'

/** Wrapping more than this anew with each key would be felt, in microseconds. */
const heavy = 40_000
/** Shorter text is never heavy enough to be looked at. */
const light = 1500

/** How a text area shows a text: what costs the browser seconds to wrap is not wrapped. */
export type AreaLook = 'wrapped' | 'unwrapped' | 'dots'

export function areaLook(text: string): AreaLook {
  if (text.length < light) return 'wrapped'
  const cost = new LayoutCost()
  cost.addLine(text)
  // combining marks by the thousand take as long on one line; the browser draws none of them behind dots
  if (cost.total === Number.POSITIVE_INFINITY) return 'dots'
  return cost.total > heavy ? 'unwrapped' : 'wrapped'
}

/** Sets the look on a text area, before the browser lays the text out. */
export function setAreaLook({ style }: HTMLTextAreaElement, text: string): void {
  const look = areaLook(text)
  style.whiteSpace = look === 'unwrapped' ? 'pre' : ''
  style.setProperty('-webkit-text-security', look === 'dots' ? 'disc' : '')
}
