import { micromark } from 'micromark'
import { gfmHtml } from 'micromark-extension-gfm'
import { expect, it } from 'vitest'
import { dialect, htmlAsText } from './dialect'

const drawn = (text: string) =>
  micromark(text, { extensions: dialect(), htmlExtensions: [gfmHtml(), htmlAsText] })

it.each([
  ['**注意：**正文', '<p><strong>注意：</strong>正文</p>'],
  ['between 5~10 and 20~30', '<p>between 5~10 and 20~30</p>'],
  ['原价~~100元。~~现价', '<p>原价<del>100元。</del>现价</p>'],
  [
    '请看https://example.com/a，谢谢',
    '<p>请看<a href="https://example.com/a">https://example.com/a</a>，谢谢</p>',
  ],
  ['www.example.com。', '<p><a href="http://www.example.com">www.example.com</a>。</p>'],
  [
    '[see https://example.com](https://example.org)',
    '<p><a href="https://example.org">see https://example.com</a></p>',
  ],
  ['one<br>two `<br>` <b>', '<p>one<br />two <code>&lt;br&gt;</code> &lt;b&gt;</p>'],
])('an export draws %s as the page does', (text, html) => {
  expect(drawn(text)).toBe(html)
})
