import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isCostly, MarkdownCost, markdownCost } from '@/lib/markdown/markdown-cost'
import { cpuTime } from '@/testing/worlds/cpu-time'
import { hostileTexts } from '@/testing/worlds/hostile-texts'

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
  ['more lines than are ever read', 'a\n\n'.repeat(15_000)],
  ['a book', 'word '.repeat(20_000)],
])('gives up on %s', (_, text) => expect(isCostly(text)).toBe(true))

it.each([
  ['prose', 'Some **bold** words and a [link](https://example.com).\n\n'.repeat(300)],
  ['a long table', table(8, 250)],
  ['a table of twelve columns', table(12, 50)],
  ['lists six deep', Array.from({ length: 60 }, (_, at) => `${'  '.repeat(at % 6)}- item ${at}`).join('\n')],
  ['a long essay', `${'Words and **more** of them, with `code` besides. '.repeat(10)}\n\n`.repeat(40)],
  ['a long line', 'word '.repeat(4000)],
  ['a long text in Chinese', '我们在里斯本有三天。'.repeat(1500)],
  ['a long text in Arabic', 'لدينا ثلاثة أيام في لشبونة. '.repeat(300)],
  ['minified code', `\`\`\`js\n${'var a=b(c);'.repeat(200)}\n\`\`\``],
  ['code full of brackets', `\`\`\`ts\n${'a[0] = b[1] * c_d\n'.repeat(900)}\`\`\``],
  ['an outline', '- a\n  - b\n    - c\n'.repeat(200)],
  ['a rule', '-'.repeat(30)],
])('renders %s', (_, text) => expect(isCostly(text)).toBe(false))

/** How long each was when drawing it was timed to be quick enough (markdown-time.test.ts). */
const timed = [
  'a staircase of lists 70|a staircase by two spaces 320|lists in lists, again and again 70',
  'lists ten deep, again and again 3080|quotes in quotes 23330',
  'lines that belong to a quote far above 2020|lines that belong to a list far above 2520|one list 3540',
  'lists that begin anew 4400|quotes in list items 3470|paragraphs 2280|underlined headings 1800',
  'headings 3470|rules 3470|lines ended by carriage returns 8160|blocks of code 4400',
  'a table of 240 columns 6420|a table of twelve columns 5160|a table of rows without cells 160',
  'tables 2620|images in images 1830|brackets that never close 720|links 11200|emphasis in emphasis 1660',
  'emphasis in all directions 4960|code spans 12620|backticks of every length 5370|tags 3680',
  'addresses 14790|footnotes 3140|a long address named often 1800|line breaks 8160',
  'letters without a break 5480|combining marks 70|letters of both directions 2240',
].flatMap((line) => line.split('|'))
it.each(timed)('gives up on hostile texts as long as no longer one was timed: %s characters', (line) => {
  const [, name = '', length] = /(.*) (\d+)$/.exec(line) ?? []
  expect(isCostly(hostileTexts[name]?.(Number(length)) ?? '')).toBe(true)
})

it('given a text that names a long address again and again, then what it would become counts', () => {
  const long = (times: number) => `[a]: http://a.b/${'c'.repeat(900)}\n\n${'[a] '.repeat(times)}`
  expect(isCostly(long(20))).toBe(false)
  expect(isCostly(long(500))).toBe(true)
})

it('given a text that grows, when it is read as it comes, then it costs what it does at once', () => {
  const lines = ['- a', '  - b', '> c', '```', 'd|e', '-|-', '', '    f', '*g* [h](i)', '===', 'j\r']
  const line = fc.constantFrom(...lines)
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (lines, step) => {
      const text = lines.join('\n')
      const growing = new MarkdownCost()
      for (let end = 0; end < text.length; end += step) growing.read(text.slice(0, end))
      expect(growing.read(text)).toBeCloseTo(markdownCost(text), 3)
    }),
  )
})

it('given any hostile text of 60,000 characters, when it is judged, then that takes no time', () => {
  for (const text of Object.values(hostileTexts)) {
    const worked = cpuTime()
    markdownCost(text(60_000))
    expect(worked()).toBeLessThan(500)
  }
})
