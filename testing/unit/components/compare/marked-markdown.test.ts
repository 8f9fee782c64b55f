import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import MarkedMarkdown from '@/components/compare/marked-markdown'

it('given marks beside a formula, then it is drawn; given marks in it, then its source is shown with them', () => {
  const text = 'so \\(x_1\\) is it'
  const marked = (start: number, end: number) => {
    const marking = { tag: 'ins', ranges: [{ start, end }] } as const
    return renderToStaticMarkup(createElement(MarkedMarkdown, { text, marking }))
  }
  const beside = marked(text.indexOf('is'), text.length)
  expect(beside).toContain('class="formula-source">\\(x_1\\)</span>')
  expect(beside).toContain('<ins data-words="">is it</ins>')
  const inside = marked(text.indexOf('x'), text.indexOf('_'))
  expect(inside).not.toContain('formula-source')
  expect(inside).toContain('so \\(<ins data-words="">x</ins>_1\\) is it')
})
