import { renderToStaticMarkup } from 'react-dom/server'
import Markdown from './markdown'

/** A reply as HTML, for the page that the server sends; null when its Markdown cannot be rendered. */
export function markdownHtml(text: string): string | null {
  try {
    return renderToStaticMarkup(<Markdown text={text} streaming={false} />)
  } catch (error) {
    console.error('A reply is sent as plain text: its Markdown cannot be rendered.', error)
    return null
  }
}
