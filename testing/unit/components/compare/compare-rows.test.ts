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

test('given two sides that begin with a question, then questions and replies stand beside each other', () => {
  expect(drawn(say('Sintra?', 'by train'), say('Beach?', 'by bus', 'Pack?', 'a towel'))).toEqual([
    'Sintra? | Beach?',
    '  by train | by bus',
    '— | Pack?',
    '  — | a towel',
  ])
})

test('given two replies to a question both share, then the turn begins with them', () => {
  expect(drawn(say('one way', 'And then?'), say('another way'))).toEqual([
    'one way | another way',
    'And then? | —',
  ])
})

test('given a question without a reply beside one that was answered, then the reply stands alone', () => {
  expect(drawn(say('Sintra?'), say('Sintra?', 'by train'))).toEqual(['Sintra? | Sintra?', '  — | by train'])
})

test('given nothing on one side, or on both, then nothing stands beside', () => {
  expect(drawn([], say('Sintra?'))).toEqual(['— | Sintra?'])
  expect(drawn([], [])).toEqual([])
})
