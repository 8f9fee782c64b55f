import { renderToStaticMarkup } from 'react-dom/server'
import Markdown from './markdown'

/** Streamdown's own classes, in each reply: this app has no rules for them. Written out here, they would get some. */
const unused = /(?<=^<div class=")space-y-\d+ [^"]*:last-child\]:\S+ ?/

/** A reply as HTML, for the page that the server sends; null when its Markdown cannot be rendered. */
export function markdownHtml(text: string): string | null {
  try {
    return renderToStaticMarkup(<Markdown text={text} streaming={false} />).replace(unused, '')
  } catch (error) {
    console.error('A reply is sent as plain text: its Markdown cannot be rendered.', error)
    return null
  }
}
