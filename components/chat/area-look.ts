import { LayoutCost } from './layout-cost'

/** Wrapping more than this anew with each key would be felt, in microseconds. */
const heavy = 40_000
/** Shorter text is never heavy enough to be looked at. */
const light = 1500

/** How a text area shows its text, in classes: text that costs the browser seconds to wrap is not wrapped. */
export function areaLook(text: string): string {
  if (text.length < light) return ''
  const cost = new LayoutCost()
  cost.addLine(text)
  // combining marks by the thousand take as long on one line; the browser draws none of them behind dots
  if (cost.total === Number.POSITIVE_INFINITY) return '[-webkit-text-security:disc]'
  return cost.total > heavy ? 'overflow-x-auto whitespace-pre' : ''
}
