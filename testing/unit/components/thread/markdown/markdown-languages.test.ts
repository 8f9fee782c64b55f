import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import Markdown from '@/components/thread/markdown/markdown'
import { HintProvider } from '@/components/ui/hint'

/** The HTML of a reply without looks: formulas as `«source»`. */
function drawn(text: string, streaming = false): string {
  const html = renderToStaticMarkup(
    createElement(HintProvider, null, createElement(Markdown, { text, streaming })),
  )
  return html
    .replace(/<span[^>]*class="formula"[^>]*>.*?formula-source">(.*?)<\/span><\/span>/gs, '«$1»')
    .replace(/<\/?(?:div|span)[^>]*>/g, '')
    .replace(/ (?:class|dir|tabindex|target|rel|data-[\w-]+)="[^"]*"/g, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim()
}

const link = (address: string, words = address) => `<a href="${address}">${words}</a>`

describe('emphasis beside full-width punctuation, whole and while it streams', () => {
  it.each([
    ['**注意：**正文继续。', '<p><strong>注意：</strong>正文继续。</p>'],
    ['请看**“重点”**内容', '<p>请看<strong>“重点”</strong>内容</p>'],
    ['これは**「強調」**です。', '<p>これは<strong>「強調」</strong>です。</p>'],
    ['이것은 **중요(重要)**입니다', '<p>이것은 <strong>중요(重要)</strong>입니다</p>'],
    ['这是*（斜体）*文字', '<p>这是<em>（斜体）</em>文字</p>'],
    ['原价~~100元。~~现价80元', '<p>原价<del>100元。</del>现价80元</p>'],
    ['**a** and *b*, ~~c~~', '<p><strong>a</strong> and <em>b</em>, <del>c</del></p>'],
  ])('%s', (text, expected) => {
    expect(drawn(text)).toBe(expected)
    expect(drawn(text, true)).toBe(expected)
  })
})

it.each(['between 5~10 and 20~30 items', '约5~10元，或20~30元', 'a ~b~ c'])(
  'a single tilde strikes nothing out: %s',
  (text) => {
    expect(drawn(text)).toBe(`<p>${text}</p>`)
    expect(drawn(text, true)).toBe(`<p>${text}</p>`)
  },
)

describe('between two dollar signs stands a formula, not a price', () => {
  it.each([
    ['so $x$ is', 'so «$x$» is'],
    ['设$x_1 * y_1$为 *数*', '设«$x_1 * y_1$»为 <em>数</em>'],
    ['($a^2 + b^2 = c^2$).', '(«$a^2 + b^2 = c^2$»).'],
    ['$\\frac{1}{2}$, $f(x)$ and $5$', '«$\\frac{1}{2}$», «$f(x)$» and «$5$»'],
    ['$(a, b)$ and $n - 1$', '«$(a, b)$» and «$n - 1$»'],
    ['$\\text{price of tea} = 5\\$$', '«$\\text{price of tea} = 5\\$$»'],
  ])('formula: %s', (text, expected) => {
    expect(drawn(text)).toBe(`<p>${expected}</p>`)
  })

  it.each([
    'it costs $5 or $6',
    'from $5 to $10, or $5-$10',
    'it is $5 (US$) or A$6',
    'US$5 and US$6',
    '5$ and 10$',
    '价格是$5，或者$6。',
    '$HOME and $PATH, or $HOME/$USER',
    '$5/hr for A, $6/hr for B',
    'pay $100, get $20 back',
    'a $ and a $ sign',
    'the $20 plan and the 30$ plan',
    'between ($5) and ($10)',
  ])('no formula: %s', (text) => {
    expect(drawn(text)).toBe(`<p>${text}</p>`)
    expect(drawn(text, true)).toBe(`<p>${text}</p>`)
  })

  it('none in code, and none that is escaped', () => {
    expect(drawn('`$x$` and \\$x\\$')).toBe('<p><code>$x$</code> and $x$</p>')
  })
})

it('a new line in the cell of a table is one, other HTML is text', () => {
  expect(drawn('| a |\n|-|\n| one<br>two<br/>three |')).toContain('<td>one<br/> two<br/> three</td>')
  expect(drawn('so <b>bold</b> `<br>`')).toBe('<p>so &lt;b&gt;bold&lt;/b&gt; <code>&lt;br&gt;</code></p>')
})

describe('an address ends where it ends', () => {
  it.each([
    ['请看https://example.com/a，后面的文字', `请看${link('https://example.com/a')}，后面的文字`],
    ['https://example.com/abc的文档', `${link('https://example.com/abc')}的文档`],
    ['访问https://example.com/了解更多', `访问${link('https://example.com/')}了解更多`],
    ['「https://example.com/a」', `「${link('https://example.com/a')}」`],
    ['“https://example.com/a”', `“${link('https://example.com/a')}”`],
    ['（https://example.com/a）。', `（${link('https://example.com/a')}）。`],
    [
      'https://example.com/a、https://example.com/b。',
      `${link('https://example.com/a')}、${link('https://example.com/b')}。`,
    ],
    ['**https://example.com/a**，注意', `<strong>${link('https://example.com/a')}</strong>，注意`],
    ['**https://example.com/a**后面', `<strong>${link('https://example.com/a')}</strong>后面`],
    ['https://example.com/a，**注意**', `${link('https://example.com/a')}，<strong>注意</strong>`],
    ['자세히는 https://example.com/a를 보세요', `자세히는 ${link('https://example.com/a')}를 보세요`],
    ['(https://example.com/a(b)).', `(${link('https://example.com/a(b)')}).`],
    ['see https://example.com/a?b=c&d.', `see ${link('https://example.com/a?b=c&amp;d')}.`],
  ])('%s', (text, expected) => {
    expect(drawn(text)).toBe(`<p>${expected}</p>`)
    expect(drawn(text, true)).toBe(`<p>${expected}</p>`)
  })

  it('a path may hold the words of such a language', () => {
    const html = drawn('https://zh.wikipedia.org/wiki/北京 和 https://例え.jp/')
    expect(html).toContain('>https://zh.wikipedia.org/wiki/北京</a>')
    expect(html).toContain('>https://例え.jp/</a>')
  })
})
