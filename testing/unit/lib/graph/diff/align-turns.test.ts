import fc from 'fast-check'
import { expect, test } from 'vitest'
import { alignTurns, turnsOf } from '@/lib/graph/diff/align-turns'
import { cpuTime } from '@/testing/worlds/cpu-time'

// a message is its words; what ends in a question mark is a question
const reading = {
  isQuestion: (message: string) => message.endsWith('?'),
  textOf: (message: string) => message,
}

/** The turns side by side as lines: `left | right`. */
function drawn(left: string[], right: string[]): string[] {
  const pairs = alignTurns(turnsOf(left, reading), turnsOf(right, reading), reading)
  const words = (turn: (typeof pairs)[number]['left']) =>
    turn ? [turn.question ?? '·', ...turn.replies].join(' ') : '—'
  return pairs.map((pair) => `${words(pair.left)} | ${words(pair.right)}`)
}

const dinner = 'Where do we have dinner on Sunday'
test.each([
  // q ─ a ─ where to eat? ─ there          ask again: the reply alone differs
  //      └─ where to eat? ─ here
  ['Where to eat?, there', 'Where to eat?, here', ['Where to eat? there | Where to eat? here']],
  // … q ─ one answer ─ And then?: replies to a shared question stand side by side, what follows stands alone
  //    └─ another answer
  [
    'one answer, And then?, home',
    'another answer',
    ['· one answer | · another answer', 'And then? home | —'],
  ],
  // a turn that one side put in between leaves a place empty beside it
  [
    'What to pack?, a, Is it cold?, b',
    'Any visa?, c, What to pack?, d, Is it cold?, e',
    ['— | Any visa? c', 'What to pack? a | What to pack? d', 'Is it cold? b | Is it cold? e'],
  ],
  // questions asked in other words are found again
  [
    `Thanks and go on?, a, ${dinner}?, b`,
    `${dinner} with a child?, c`,
    ['Thanks and go on? a | —', `${dinner}? b | ${dinner} with a child? c`],
  ],
  // questions with nothing in common stand beside each other in order
  ['Sintra?, a, Tickets?, b', 'Beach?, c', ['Sintra? a | Beach? c', 'Tickets? b | —']],
  ['', '', []],
  ['Only here?', '', ['Only here? | —']],
  ['', 'only a reply', ['— | · only a reply']],
  ['a, b', 'c', ['· a b | · c']],
  ['Same?, a, Same?, b', 'Same?, c', ['Same? a | Same? c', 'Same? b | —']],
])('given “%s” and “%s”, then they are aligned', (left, right, expected) => {
  const [one, other] = [left, right].map((side) => side.split(', ').filter(Boolean))
  expect(drawn(one ?? [], other ?? [])).toEqual(expected)
})

test('given any two sides, then every turn comes once and in order', () => {
  const side = fc.array(fc.constantFrom('go on?', 'and then?', 'what about the train?', 'r1', 'r2'), {
    maxLength: 20,
  })
  fc.assert(
    fc.property(side, side, (left, right) => {
      const pairs = alignTurns(turnsOf(left, reading), turnsOf(right, reading), reading)
      expect(pairs.flatMap((pair) => pair.left ?? [])).toEqual(turnsOf(left, reading))
      expect(pairs.flatMap((pair) => pair.right ?? [])).toEqual(turnsOf(right, reading))
      expect(pairs.every((pair) => pair.left !== null || pair.right !== null)).toBe(true)
    }),
  )
})

test('given five thousand different turns on both sides, then it takes no longer than a glance', () => {
  const long = (name: string) =>
    Array.from({ length: 10_000 }, (_, at) => (at % 2 === 0 ? `${name} number ${at}?` : `reply ${at}`))
  const worked = cpuTime()
  expect(drawn(long('left'), long('right'))).toHaveLength(5000)
  expect(worked()).toBeLessThan(1500)
})

test('given a hundred long questions on both sides, none like another, then it takes no longer than a glance', () => {
  const side = (name: string) =>
    Array.from({ length: 100 }, (_, at) => {
      const words = Array.from({ length: 3000 }, (_, word) => `${name}${word}`)
      return `${name}, number ${at}: ${words.join(' ')}?`
    })
  const worked = cpuTime()
  expect(drawn(side('left'), side('right'))).toHaveLength(100)
  expect(worked()).toBeLessThan(1500)
})
