// In a chunk of its own, with its style sheet and fonts: fetched with the first formula.
import 'katex/dist/katex.min.css'
import { render } from 'katex'

/** Draws a formula into an element. Throws where it is none. */
export function drawFormula(tex: string, into: HTMLElement, display: boolean): void {
  render(tex, into, { displayMode: display, maxSize: 20, maxExpand: 200, strict: 'ignore' })
}
