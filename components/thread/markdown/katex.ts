// In a chunk of its own, with its style sheet and fonts: fetched with the first formula.
import 'katex/dist/katex.min.css'

export { render } from 'katex'
