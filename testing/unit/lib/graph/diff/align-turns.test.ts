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

const long = (name: string) => Array.from({ length: 3000 }, (_, word) => `${name}${word}`).join(' ')
test.each([
  ['five thousand turns', 5000, (name: string, at: number) => [`${name} number ${at}?`, `reply ${at}`]],
  ['a hundred long questions', 100, (name: string, at: number) => [`${name}, number ${at}: ${long(name)}?`]],
])('given %s on both sides, none like another, then it takes no longer than a glance', (_, turns, turn) => {
  const side = (name: string) => Array.from({ length: turns }, (_, at) => turn(name, at)).flat()
  const worked = cpuTime()
  expect(drawn(side('left'), side('right'))).toHaveLength(turns)
  expect(worked()).toBeLessThan(1500)
})
