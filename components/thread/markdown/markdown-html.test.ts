import { expect, test } from 'vitest'
import { markdownHtml } from './markdown-html'

test('given a reply, when it is sent as HTML, then only the classes that have rules go with it', () => {
  expect(markdownHtml('Take the **train**.')).toBe(
    `<div class="reading"><p dir="ltr">Take the <strong>train</strong>.</p></div>`,
  )
})
