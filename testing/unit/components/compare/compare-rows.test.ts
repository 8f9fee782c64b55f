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
