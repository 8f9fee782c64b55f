import { expect, it } from 'vitest'
import { cpuTime } from '@/testing/worlds/cpu-time'
import { changedIn, diffLines } from './diff-lines'

const marks = { same: ' ', added: '+', removed: '-' }
const drawn = (before: string, after: string) =>
  diffLines(before, after).map((line) =>
    line.kind === 'gap' ? `(${line.count})` : marks[line.kind] + line.text,
  )

it.each([
  ['a line in the place of another', 'a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
  ['a new text', '', 'a\nb\n', ['+a', '+b']],
  ['a text that is gone', 'a', '', ['-a']],
  ['the same text', 'a\nb', 'a\nb', ['(2)']],
  ['other line ends', 'a\r\nb', 'a\nb\nc', [' a', ' b', '+c']],
])('a diff of %s', (_, before, after, lines) => {
  expect(drawn(before, after)).toEqual(lines)
})

it('lines far from any change are counted', () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`)
  const found = drawn(lines.join('\n'), lines.with(15, 'other').join('\n'))
  expect(found[0]).toBe('(12)')
  expect(found).toHaveLength(2 + 3 + 2 + 3)
  expect(found.at(-1)).toBe('(11)')
})

it('large texts that share nothing are told as changed in a moment', () => {
  const text = (word: string) => Array.from({ length: 40_000 }, (_, at) => `${word} ${at}`).join('\n')
  const worked = cpuTime()
  expect(changedIn(diffLines(text('a'), text('b')))).toEqual({ added: 40_000, removed: 40_000 })
  expect(worked()).toBeLessThan(3000)
})
