import { expect, test } from 'vitest'
import { mergeContexts, mergedSetup, type SerializedFragment } from '@/lib/context'
import type { MergeResolution } from '@/lib/events'

interface Sketch {
  /** texts of hints by their ids */
  hints?: Record<string, string>
  memories?: Record<string, string>
  off?: string[]
}

const context = ({ hints = {}, memories = {}, off = [] }: Sketch) => ({
  fragments: Object.entries(hints).map(
    ([id, data]): SerializedFragment => ({ $fragment: { id, name: 'hint', data } }),
  ),
  setup: { off, memories: Object.entries(memories).map(([key, text]) => ({ key, text, message_id: null })) },
})

const merge = (
  base: Sketch | null,
  source: Sketch,
  target: Sketch,
  resolutions?: Record<string, MergeResolution>,
) => {
  const { fragments, memories, ...rest } = mergeContexts(
    ...([base && context(base), context(source), context(target)] as const),
    resolutions,
  )
  return {
    ...rest,
    hints: Object.fromEntries(fragments.map(({ $fragment }) => [$fragment.id, $fragment.data])),
    memories: Object.fromEntries(memories.map(({ key, text }) => [key, text])),
  }
}

test('given what only one side has changed, then that side counts', () => {
  const base = { hints: { a: 'one', b: 'two', c: 'three' }, memories: { diet: 'Any', pace: 'Slow' } }
  const source = { hints: { a: 'ONE', b: 'two', d: 'new' }, memories: { diet: 'Vegan', pace: 'Slow' } }
  const target = { hints: { a: 'one', b: 'TWO', c: 'three' }, memories: { diet: 'Any' } }
  expect(merge(base, source, target)).toEqual({
    hints: { a: 'ONE', b: 'TWO', d: 'new' },
    memories: { diet: 'Vegan' },
    conflicts: [],
    off: [],
    added: ['Fragment hint: new'],
    changed: ['Fragment hint: ONE', 'Memory diet: Vegan'],
    removed: ['Fragment hint: three'],
  })
})

test('given what both have changed in the same way, then it is no conflict', () => {
  expect(merge({ hints: { a: 'one' } }, { hints: { a: 'two' } }, { hints: { a: 'two' } })).toMatchObject({
    hints: { a: 'two' },
    conflicts: [],
    changed: [],
  })
})

test('given what both have changed, each in another way, then the target stays until a person chooses', () => {
  const sides = [{ hints: { a: 'one' } }, { hints: { a: 'there' } }, { hints: { a: 'here' } }] as const
  const conflict = { id: 'fragment:a', about: 'Fragment hint', source: 'there', target: 'here' }
  expect(merge(...sides)).toMatchObject({ hints: { a: 'here' }, conflicts: [conflict] })
  expect(merge(...sides, { 'fragment:a': 'source' }).hints).toEqual({ a: 'there' })
  expect(merge(...sides, { 'fragment:a': 'target' }).hints).toEqual({ a: 'here' })
  expect(merge(...sides, { 'fragment:a': { text: 'both' } }).hints).toEqual({ a: 'both' })
})

test('given a memory that one side has dropped and the other changed, then that is a conflict', () => {
  const sides = [{ memories: { diet: 'Any' } }, {}, { memories: { diet: 'Vegan' } }] as const
  expect(merge(...sides)).toMatchObject({
    memories: { diet: 'Vegan' },
    conflicts: [{ id: 'memory:diet', source: null, target: 'Vegan' }],
  })
  expect(merge(...sides, { 'memory:diet': 'source' }).memories).toEqual({})
})

test('given a fragment that was switched off there, then it is off here too', () => {
  const on = { hints: { a: 'one' } }
  const { off, changed } = merge(on, { ...on, off: ['a'] }, on)
  expect([off, changed]).toEqual([['a'], ['Fragment hint: one (switched off)']])
})

test('given nothing in common, then every difference of what both have is a conflict', () => {
  const { conflicts, memories } = merge(null, { memories: { a: '1', b: '2' } }, { memories: { a: '3' } })
  expect(conflicts.map(({ id }) => id)).toEqual(['memory:a'])
  expect(memories).toEqual({ a: '3', b: '2' })
})

test('given a thousand conflicts, then all are found at once', () => {
  const many = (text: string) => ({
    memories: Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`m${n}`, `${text} ${n}`])),
  })
  expect(merge(many('base'), many('there'), many('here')).conflicts).toHaveLength(1000)
})

test('the target keeps its tools, settings and renderer', () => {
  const setup = { renderer: 'toml' as const, settings: { seed: 7 }, tools: { remember: 'ask' as const } }
  expect(mergedSetup(setup, { memories: [], off: [] })).toEqual({ ...setup, memories: [], off: [] })
})
