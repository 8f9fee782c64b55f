import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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

describe('turns side by side', () => {
  // q ─ a ─ where to eat? ─ there          ask again: the reply alone differs
  //      └─ where to eat? ─ here
  test('the same question stands beside itself', () => {
    expect(drawn(['Where to eat?', 'there'], ['Where to eat?', 'here'])).toEqual([
      'Where to eat? there | Where to eat? here',
    ])
  })

  // … q ─ one answer ─ And then?
  //    └─ another answer
  test('replies to a shared question stand side by side, and what follows stands alone', () => {
    expect(drawn(['one answer', 'And then?', 'home'], ['another answer'])).toEqual([
      '· one answer | · another answer',
      'And then? home | —',
    ])
  })

  test('a turn that one side put in between leaves a place empty beside it', () => {
    expect(
      drawn(
        ['What to pack?', 'a', 'Is it cold?', 'b'],
        ['Any visa?', 'c', 'What to pack?', 'd', 'Is it cold?', 'e'],
      ),
    ).toEqual(['— | Any visa? c', 'What to pack? a | What to pack? d', 'Is it cold? b | Is it cold? e'])
  })

  test('questions asked in other words are found again', () => {
    expect(
      drawn(
        ['Thanks, go on?', 'a', 'Where do we have dinner on Sunday?', 'b'],
        ['Where do we have dinner on Sunday with a child?', 'c'],
      ),
    ).toEqual([
      'Thanks, go on? a | —',
      'Where do we have dinner on Sunday? b | Where do we have dinner on Sunday with a child? c',
    ])
  })

  test('questions with nothing in common stand beside each other in order', () => {
    expect(drawn(['Sintra?', 'a', 'Tickets?', 'b'], ['Beach?', 'c'])).toEqual([
      'Sintra? a | Beach? c',
      'Tickets? b | —',
    ])
  })

  test.each([
    [[], [], []],
    [['Only here?'], [], ['Only here? | —']],
    [[], ['only a reply'], ['— | · only a reply']],
    [['a', 'b'], ['c'], ['· a b | · c']],
    [
      ['Same?', 'a', 'Same?', 'b'],
      ['Same?', 'c'],
      ['Same? a | Same? c', 'Same? b | —'],
    ],
  ])('given %j and %j', (left, right, expected) => {
    expect(drawn(left, right)).toEqual(expected)
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
})
