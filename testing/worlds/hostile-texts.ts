/** Texts that are expensive to draw, by name; each takes its approximate length. */
export const hostileTexts: Readonly<Record<string, (length: number) => string>> = {
  'a staircase of lists': (length) => upTo(length, (at) => `${' '.repeat(78 * at)}${'- '.repeat(39)}a`, '\n'),
  'a staircase by two spaces': (length) => upTo(length, (at) => `${' '.repeat(2 * at)}- a`, '\n'),
  'lists in lists, again and again': (length) => fill(`${'- '.repeat(39)}a\n\n`, length),
  'lists ten deep, again and again': (length) => fill(`${'- '.repeat(10)}a\n\n`, length),
  'quotes in quotes': (length) => fill(`${'> '.repeat(10)}a\n`, length),
  'lines that belong to a quote far above': (length) => `${'> '.repeat(6)}${fill('a\n', length)}`,
  'lines that belong to a list far above': (length) => `- a\n${fill('a\n', length)}`,
  'one list': (length) => fill('- a\n', length),
  'lists that begin anew': (length) => fill('1. a\n1) b\n', length),
  'quotes in list items': (length) => fill('- > a\n', length),
  paragraphs: (length) => fill('a\n\n', length),
  'underlined headings': (length) => fill('a\n=\n', length),
  headings: (length) => fill('# a\n', length),
  rules: (length) => fill('---\n', length),
  'lines ended by carriage returns': (length) => fill('a\r', length),
  'blocks of code': (length) => fill('```\na\n```\n', length),
  'a table of 240 columns': (length) => table(240, length),
  'a table of twelve columns': (length) => table(12, length),
  'a table of rows without cells': (length) => `${table(40, 0)}${fill('\nb', length)}`,
  tables: (length) => fill('|a|\n|-|\n|b|\n\n', length),
  'images in images': (length) => `${fill('![', length / 3)}a${fill('](b)', (length * 2) / 3)}`,
  'brackets that never close': (length) => fill('[a', length),
  links: (length) => fill('[a](b) ', length),
  'emphasis in emphasis': (length) => `${fill('*a ', length / 2)}${fill('a* ', length / 2)}`,
  'emphasis in all directions': (length) => fill('a**b*c_d', length),
  'code spans': (length) => fill('`a` ', length),
  'backticks of every length': (length) => upTo(length, (at) => `${'`'.repeat(at + 1)}a`, ''),
  tags: (length) => fill('a<?<b>', length),
  addresses: (length) => fill('www.a.b ', length),
  footnotes: (length) => upTo(length, (at) => `a[^${at}]\n\n[^${at}]: b\n\n`, ''),
  'a long address named often': (length) =>
    `[a]: http://a.b/${fill('c', Math.min(900, length / 2))}\n\n${fill('[a] ', length / 2)}`,
  'line breaks': (length) => fill('a\\\n', length),
  'letters without a break': (length) => fill('a', length),
  'combining marks': (length) => `a${fill('\u0301', length)}`,
  'letters of both directions': (length) => fill('aא', length),
}

const fill = (piece: string, length: number): string => piece.repeat(Math.max(1, length / piece.length))

function upTo(length: number, line: (at: number) => string, between: string): string {
  let text = line(0)
  for (let at = 1; text.length < length; at++) text += between + line(at)
  return text
}

function table(columns: number, length: number): string {
  const rows = Math.max(0, Math.floor(length / columns / 2) - 2)
  return ['|a', '|-', ...Array<string>(rows).fill('|b')].map((cell) => cell.repeat(columns)).join('\n')
}
