import { expect, test } from 'vitest'
import { markdownOf } from './html-markdown'

test.each<[string, string]>([
  ['<p>It is <b>noon</b>.</p><p>Or <em>not</em>.</p>', 'It is **noon**.\n\nOr *not*.'],
  ['<h2>Head</h2>text<hr>more', '## Head\n\ntext\n\n---\n\nmore'],
  ['<ul><li><p>a</p><ol><li>b</li><li>c</li></ol></li><li>d</li></ul>', '- a\n  1. b\n  2. c\n- d'],
  ['<pre><code>if (a &lt; b) {\n  c\n}</code></pre>', '```\nif (a < b) {\n  c\n}\n```'],
  [
    '<a href="https://example.org/?a=1&amp;b=2">here</a> <a href="#x">there</a>',
    '[here](https://example.org/?a=1&b=2) there',
  ],
  ['<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
  [
    '<table><tr><th>a|b</th><th>c</th></tr><tr><td>1</td><td>2</td></tr></table>',
    '| a\\|b | c |\n| --- | --- |\n| 1 | 2 |',
  ],
  ['a<!-- hidden -->b<br>c<script>d()</script>', 'ab\nc'],
  ['<unknown>words</unknown> 2 < 3 &unknown; &#x1F600;', 'words 2 < 3 &unknown; 😀'],
  ['<p>not <b>closed', 'not **closed**'],
  [`${'<div>'.repeat(200)}deep${'</div>'.repeat(200)}`, 'deep'],
])('%s', (html, markdown) => {
  expect(markdownOf(html).text).toBe(markdown)
})

test('given a picture beside the page, then it is named, and one on the web stays in the text', () => {
  expect(markdownOf('<img src="dot.png"><img alt="b" src="https://example.org/b.png">')).toEqual({
    text: '![b](https://example.org/b.png)',
    pictures: ['dot.png'],
  })
})
