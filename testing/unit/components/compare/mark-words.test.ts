import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Streamdown } from 'streamdown'
import { describe, expect, test } from 'vitest'
import { markWords } from '@/components/compare/mark-words'
import { diffWords } from '@/lib/graph/diff/diff-words'
import { piecesOf } from '@/lib/graph/diff/pieces'

const plain = { p: 'p', strong: 'strong', code: 'code', pre: 'pre', ul: 'ul', li: 'li', a: 'a' } as const

/** What is rendered of a text, with what it alone has in braces. */
function rendered(text: string, other: string): string {
  const diff = diffWords(text, other)
  const ranges = diff.kind === 'changed' ? diff.left : []
  const html = renderToStaticMarkup(
    createElement(
      Streamdown,
      { mode: 'static', components: plain, rehypePlugins: [[markWords, { tag: 'del', ranges }]] },
      text,
    ),
  )
  return html
    .replace(/^<div[^>]*>|<\/div>$/g, '')
    .replaceAll(/<del data-words="">(.*?)<\/del>/gs, '{$1}')
    .replaceAll(/ (?:class|data-[a-z-]+)="[^"]*"/g, '')
}

describe('words marked in rendered Markdown', () => {
  test.each([
    ['see Pena before ten', 'see Pena after ten', '<p>see Pena {before} ten</p>'],
    [
      'see **Pena** before ten',
      'see **Regaleira** before ten',
      '<p>see <strong>{Pena}</strong> before ten</p>',
    ],
    ['see **Pena** before ten', 'see Pena before ten', '<p>see <strong>Pena</strong> before ten</p>'],
    ['run `npm test` now', 'run `npm start` now', '<p>run <code>npm {test}</code> now</p>'],
    ['- one\n- two three', '- one\n- two four', '<ul>\n<li>one</li>\n<li>two {three}</li>\n</ul>'],
    [
      'a \\*star\\* &amp; **more** of it',
      'a \\*star\\* &amp; **less** of it',
      '<p>a *star* &amp; <strong>{more}</strong> of it</p>',
    ],
    ['Tom &amp; Ann met Bob here', 'Tom &amp; Ann met Eve here', '<p>Tom &amp; Ann met {Bob} here</p>'],
    ['a <b>bold</b> word here', 'a <b>bold</b> word there', '<p>a &lt;b&gt;bold&lt;/b&gt; word {here}</p>'],
    ['```js\nlet total = 1\n```', '```js\nlet total = 2\n```', '<pre><code>let total = {1}\n</code></pre>'],
    // a text has no marks of the one before it
    ['one two three', 'one two four', '<p>one two {three}</p>'],
    ['one two three', 'nil two three', '<p>{one} two three</p>'],
  ])('%j beside %j', (text, other, expected) => {
    expect(rendered(text, other)).toBe(expected)
  })
})

test('a text falls into pieces along its ranges', () => {
  expect(
    piecesOf('by night train', [
      { start: 3, end: 8 },
      { start: 9, end: 14 },
    ]).map(({ text, marked }) => (marked ? `{${text}}` : text)),
  ).toEqual(['by ', '{night}', ' ', '{train}'])
  expect(piecesOf('', [])).toEqual([])
})
