import { expect, test } from 'vitest'
import {
  changedParts,
  type Edit,
  edited,
  fitParts,
  grouped,
  instructionsIn,
  memoryProblem,
  type Parts,
} from '@/components/context/parts'

const fragment = (id: string, group?: string) => ({
  id,
  name: 'hint',
  data: id,
  enabled: true,
  ...(group === undefined ? {} : { group }),
})
const parts: Parts = {
  renderer: 'xml',
  settings: { temperature: 1 },
  memories: [],
  tools: {},
  fragments: [fragment('a'), fragment('x', 'X'), fragment('b'), fragment('y', 'X')],
}
const ids = ({ fragments }: Parts) => fragments.map(({ id }) => id).join(' ')
const after = (...edits: Edit[]) => edits.reduce(edited, parts)

test('fragments are listed in groups: those without one first, a group where its first fragment stands', () => {
  expect(grouped(parts.fragments).map(({ name, fragments }) => [name, fragments.length])).toEqual([
    ['', 2],
    ['X', 2],
  ])
  expect(grouped([fragment('x', 'X')])).toHaveLength(1)
})

test('a fragment is moved within its group, and stays at its ends', () => {
  expect(ids(after({ type: 'move', id: 'a', by: 1 }))).toBe('b a x y')
  expect(ids(after({ type: 'move', id: 'y', by: -1 }))).toBe('a b y x')
  expect(ids(after({ type: 'move', id: 'b', by: 1 }))).toBe('a b x y')
  const three = { type: 'duplicate', id: 'a', as: 'a2' } as const
  expect(ids(after(three, { type: 'move', id: 'a', by: -1 }))).toBe('a a2 b x y')
})

test('a fragment goes into a group, and out of all', () => {
  expect(ids(after({ type: 'group', id: 'a', group: 'X' }))).toBe('b a x y')
  expect(after({ type: 'group', id: 'x', group: '' }).fragments[1]).toEqual(fragment('x'))
})

test('a text changes one fragment, and leaves the others the same objects and where they are', () => {
  const now = after({ type: 'fragment', id: 'x', change: { data: 'new' } })
  expect(ids(now)).toBe('a x b y')
  expect(now.fragments[0]).toBe(parts.fragments[0])
  expect(now.fragments[1]).toEqual({ ...fragment('x', 'X'), data: 'new' })
})

test('a fragment is added at the end, duplicated below itself, and removed', () => {
  expect(ids(after({ type: 'add', fragments: [fragment('c')] }))).toBe('a b c x y')
  expect(ids(after({ type: 'duplicate', id: 'a', as: 'a2' }))).toBe('a a2 x b y')
  expect(ids(after({ type: 'remove', id: 'a' }))).toBe('x b y')
  expect(after({ type: 'remove', id: 'gone' })).toEqual(parts)
})

test('what is as it was is no change, whatever the order of keys', () => {
  const { settings } = after({ type: 'parts', parts: { settings: { temperature: 1 } } })
  expect(changedParts(parts, { ...parts, settings })).toEqual({})
  expect(changedParts(parts, { ...parts, renderer: 'toon' })).toEqual({ renderer: 'toon' })
})

test('a memory without a key of its own or a text is not in force, and the others are', () => {
  const memory = (key: string, text: string) => ({ key, text, message_id: null })
  const why = (...memories: Parts['memories']) => memories.map((_, at) => memoryProblem(memories, at))
  expect(why(memory('a', 'A'), memory('b', 'B'))).toEqual([null, null])
  expect(why(memory(' ', 'A'), memory('a', ' '))).toEqual([
    expect.stringContaining('no key'),
    expect.stringContaining('no text'),
  ])
  expect(why(memory('a', 'A'), memory('a ', 'B'))).toEqual([null, expect.stringContaining('this key')])
  const memories = [memory(' a ', 'A '), memory('b', ''), memory('a', 'B')]
  expect(fitParts({ ...parts, memories }).memories).toEqual([memory('a', 'A')])
})

test('the box is a fragment that comes with its first word, goes with its last, and leaves the others', () => {
  const write = (text: string): Edit => ({ type: 'instructions', id: 'i', text })
  const written = after(write('Be brief.'))
  expect(ids(written)).toBe('a b i x y')
  expect(instructionsIn(written.fragments)).toMatchObject({ name: 'instruction', data: 'Be brief.' })
  expect(edited(written, write('Be terse.')).fragments[2]).toMatchObject({ data: 'Be terse.' })
  expect(ids(edited(written, write(' ')))).toBe('a b x y')
  expect(after(write('')).fragments).toEqual(parts.fragments)
  // one that is switched off, or is no plain text, is not what the model is told
  const off = edited(written, { type: 'fragment', id: 'i', change: { enabled: false } })
  expect(instructionsIn(off.fragments)).toBeUndefined()
})
