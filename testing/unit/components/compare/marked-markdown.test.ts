import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import MarkedMarkdown from '@/components/compare/marked-markdown'

describe('a formula in a reply that is compared', () => {
  const text = 'so \\(x_1\\) is it'
  const marked = (start: number, end: number) =>
    renderToStaticMarkup(
      createElement(MarkedMarkdown, { text, marking: { tag: 'ins', ranges: [{ start, end }] } }),
    )

  it('given marks beside it, then it is drawn', () => {
    const html = marked(text.indexOf('is'), text.length)
    expect(html).toContain('class="formula-source">\\(x_1\\)</span>')
    expect(html).toContain('<ins data-words="">is it</ins>')
  })

  it('given marks in it, then its source is shown with them', () => {
    const html = marked(text.indexOf('x'), text.indexOf('_'))
    expect(html).not.toContain('formula-source')
    expect(html).toContain('so \\(<ins data-words="">x</ins>_1\\) is it')
  })
})
