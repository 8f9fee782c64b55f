/**
 * Stands for the parts that Streamdown reads HTML with: `rehype-raw`, `rehype-sanitize` and `rehype-harden`, a third of the
 * code of a reply. HTML in a reply is text here, so none of them ever runs (`next.config.ts`).
 */

/** The elements that HTML may have: none. */
export const defaultSchema = {}

/** Lets links and images through as they are: they are checked where they are drawn. */
export const harden = () => undefined

/** Does nothing to HTML. */
export default (): undefined => undefined
