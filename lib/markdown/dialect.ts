import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough'
import { gfm, type HtmlExtension } from 'micromark-extension-gfm'
import { linkEnds } from './link-ends'

/** A single tilde stands in `5~10`: only two strike out. */
export const gfmOptions = { singleTilde: false } as const

/**
 * Markdown of replies beyond GFM: emphasis beside full-width punctuation, as `**注意：**正文`, and addresses that
 * end before the words of a language without spaces.
 */
export const beyondGfm = () => [cjkFriendlyExtension(), gfmStrikethroughCjkFriendly(gfmOptions), linkEnds()]

/** The Markdown of replies, for micromark. */
export const dialect = () => [gfm(gfmOptions), ...beyondGfm()]

/** The one tag that replies use for want of a mark: a new line in the cell of a table. */
export const lineBreak = /^<br\s*\/?>$/i

/** Draws `<br>` as a new line, and other HTML as text. */
export const htmlAsText: HtmlExtension = {
  exit: {
    htmlTextData(token) {
      const html = this.sliceSerialize(token)
      this.raw(lineBreak.test(html) ? '<br />' : this.encode(html))
    },
  },
}
