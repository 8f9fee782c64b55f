import { expect, it } from 'vitest'
import { isCostly } from './markdown-cost'

const table = (columns: number, rows: number) =>
  ['|a'.repeat(columns), '|-'.repeat(columns), ...Array(rows).fill('|b'.repeat(columns))].join('\n')

it.each([
  ['quotes in quotes', '>'.repeat(5000)],
  ['spaced quotes', `${'> '.repeat(500)}a`],
  ['lists in lists', `${'- '.repeat(2000)}a`],
  ['numbered lists in lists', `${'1. '.repeat(1000)}a`],
  ['strike-through that never closes', '~~a'.repeat(20_000)],
  ['emphasis in all directions', 'a**b'.repeat(12_000)],
  ['links that never close', '[a](b'.repeat(10_000)],
  ['a table wider than any screen', table(5000, 1)],
  ['more lines than anybody reads', 'a\n\n'.repeat(15_000)],
  ['a book', 'word '.repeat(20_000)],
])('gives up on %s', (_, text) => expect(isCostly(text)).toBe(true))

it.each([
  ['prose', 'Some **bold** words and a [link](https://example.com).\n\n'.repeat(300)],
  ['a long table', table(8, 1000)],
  ['code full of brackets', `\`\`\`ts\n${'a[0] = b[1] * c_d\n'.repeat(900)}\`\`\``],
  ['an outline', '- a\n  - b\n    - c\n'.repeat(200)],
  ['a rule', '-'.repeat(30)],
])('renders %s', (_, text) => expect(isCostly(text)).toBe(false))
