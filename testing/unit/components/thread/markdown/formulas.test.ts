import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { hideFormulas, shown } from '@/components/thread/markdown/formulas'
import Markdown from '@/components/thread/markdown/markdown'
import { HintProvider } from '@/components/ui/hint'

/** What is drawn of a text: formulas as `«source»`, those of a line of their own as `«« »»`. */
function drawn(text: string, streaming = false): string {
  const html = renderToStaticMarkup(
    createElement(HintProvider, null, createElement(Markdown, { text, streaming })),
  )
  return html
    .replace(/<span[^>]*class="formula"[^>]*>.*?formula-source">(.*?)<\/span><\/span>/gs, '«$1»')
    .replace(/<\/?(?:div|span|svg|rect|path|button|figcaption|figure)[^>]*>/g, '')
    .replace(/ (?:class|dir|tabindex)="[^"]*"/g, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim()
}

describe('formulas in Markdown', () => {
  it.each([
    ['so \\(x_1 * y_1\\) and *so*', '<p>so «\\(x_1 * y_1\\)» and <em>so</em></p>'],
    ['\\[\na\n+ b\n\\]', '<p>«\\[ a + b \\]»</p>'],
    ['$$\n\\frac{a}{b}\n$$', '<p>«$$ \\frac{a}{b} $$»</p>'],
    ['- one \\(a\\)\n- $$b$$', '<ul> <li>one «\\(a\\)»</li> <li>«$$b$$»</li> </ul>'],
    ['**\\(a\\)**', '<p><strong>«\\(a\\)»</strong></p>'],
    ['> \\[a\n> = b\\]', '<blockquote> <p>«\\[a = b\\]»</p> </blockquote>'],
    ['\\(a \\\\) b\\)', '<p>«\\(a \\\\) b\\)»</p>'],
    [
      '| \\(a|b\\) |\n|-|\n| 1 |',
      '<table><thead><tr><th>«\\(a|b\\)»</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>',
    ],
  ])('given %j, then the formula is one', (text, expected) => {
    expect(drawn(text)).toBe(expected)
  })

  it.each([
    ['it costs $5 or $6', '<p>it costs $5 or $6</p>'],
    [
      '`\\(a\\)` and `$$`, then `$$`',
      '<p><code>\\(a\\)</code> and <code>$$</code>, then <code>$$</code></p>',
    ],
    ['```sh\necho $$ $$\n```', 'sh<pre><code>echo $$ $$</code></pre>'],
    ['a \\(b\n\nc\\)', '<p>a (b</p> <p>c)</p>'],
    ['\\\\(a\\\\)', '<p>\\(a\\)</p>'],
    ['$$$ and $$ $$', '<p>$$$ and $$ $$</p>'],
    [
      '[x](https://a.b/\\(c\\))',
      '<p><a href="https://a.b/(c)" target="_blank" rel="noopener noreferrer nofollow">x</a></p>',
    ],
  ])('given %j, then it stays text', (text, expected) => {
    expect(drawn(text)).toBe(expected)
  })

  it('given a text that grows, then a formula without its end is shown as it is written', () => {
    expect(drawn('so \\(x_1 + *y', true)).toBe('<p>so \\(x_1 + *y</p>')
    expect(drawn('a\n\n$$\n\\sum_{k=1', true)).toBe('<p>a</p><p>$$ \\sum_{k=1</p>')
  })

  it('hides no more than it shows again, and moves nothing', () => {
    const text = 'é \\(ü^2\\) \\[ 😀 \\] $$ x $$ `\\(c\\)`'
    const hidden = hideFormulas(text)
    expect(hidden).toHaveLength(text.length)
    expect(hidden).not.toBe(text)
    expect(shown(hidden)).toBe(text)
    expect(hidden.indexOf('`')).toBe(text.indexOf('`'))
  })

  it('given a text that writes hidden letters itself, then they are no formula', () => {
    expect(drawn('\ue05c\ue028x\ue05c\ue029')).toBe('<p>\ufffd\ufffdx\ufffd\ufffd</p>')
  })

  it('given more formulas than can be drawn at once, then the rest stays source', () => {
    const hidden = hideFormulas('\\(a\\) '.repeat(2000))
    expect(hidden.split('\ue05c\ue028').length - 1).toBe(300)
  })

  it.each(['\\(', '$$ \\( ', '` \\( ', '$$a', '\\[\\(', '\\(a\\)', '```\n', '> \\(\n', '``` `'])(
    'given %j again and again, then it is read in no time',
    (part) => {
      const text = part.repeat(Math.floor(60_000 / part.length))
      const before = process.cpuUsage()
      hideFormulas(text, true)
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000)
    },
  )
})

it('given a cell with a sentence, then it keeps room to be read', () => {
  const text = '| a | b |\n|-|-|\n| 1 | A sentence that is much longer than a word or two |'
  const html = renderToStaticMarkup(createElement(Markdown, { text, streaming: false }))
  expect(html.match(/data-roomy/g)).toHaveLength(1)
})
