import { expect, test } from 'vitest'
import { compareRows } from '@/components/compare/compare-rows'
import type { ChatMessage } from '@/lib/protocol'

/** Messages called by their words; what ends in a question mark is a person's. */
const say = (...texts: string[]): ChatMessage[] =>
  texts.map((text) => ({
    id: text,
    role: text.endsWith('?') ? 'user' : 'assistant',
    parts: [{ type: 'text', text }],
  }))

const drawn = (left: ChatMessage[], right: ChatMessage[]) =>
  compareRows(left, right).map(
    (row) => `${row.begins ? '' : '  '}${row.left?.id ?? '—'} | ${row.right?.id ?? '—'}`,
  )

test.each([
  [
    'two sides that begin with a question, then questions and replies stand beside each other',
    say('Sintra?', 'by train'),
    say('Beach?', 'by bus', 'Pack?', 'a towel'),
    ['Sintra? | Beach?', '  by train | by bus', '— | Pack?', '  — | a towel'],
  ],
  [
    'two replies to a question both share, then the turn begins with them',
    say('one way', 'And then?'),
    say('another way'),
    ['one way | another way', 'And then? | —'],
  ],
  [
    'a question without a reply beside one that was answered, then the reply stands alone',
    say('Sintra?'),
    say('Sintra?', 'by train'),
    ['Sintra? | Sintra?', '  — | by train'],
  ],
  ['nothing on one side, then nothing stands beside', [], say('Sintra?'), ['— | Sintra?']],
  ['nothing on both, then there is nothing', [], [], []],
])('given %s', (_, left, right, rows) => expect(drawn(left, right)).toEqual(rows))

test('given calls of tools and their answers on both sides, then each call stands beside a call and has its answer', () => {
  const tool = { type: 'dynamic-tool', toolName: 'read_file', toolCallId: 'one' }
  const side = (of: string) =>
    [
      ...say('Mend it?'),
      { id: `${of} call`, role: 'assistant', parts: [{ ...tool, state: 'input-available', input: { of } }] },
      { id: `${of} answer`, role: 'assistant', parts: [{ ...tool, state: 'output-available', output: of }] },
      ...say('Done'),
    ] as ChatMessage[]
  const rows = compareRows(side('left'), side('right'))
  expect(rows.map(({ left, right }) => [left?.id, right?.id])).toEqual([
    ['Mend it?', 'Mend it?'],
    ['left call', 'right call'],
    ['Done', 'Done'],
  ])
  expect(rows[1]?.right?.parts).toMatchObject([{ input: { of: 'right' }, output: 'right' }])
})
