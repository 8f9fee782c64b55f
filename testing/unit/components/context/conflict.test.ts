import { describe, expect, test } from 'vitest'
import { differences, merged, proposed, type Side } from '@/components/context/conflict'
import type { Parts } from '@/components/context/parts'

const fragment = (id: string, data = id) => ({ id, name: 'hint', data, enabled: true })
const base: Parts = {
  renderer: 'xml',
  settings: { temperature: 1 },
  memories: [],
  tools: {},
  fragments: [fragment('a'), fragment('b'), fragment('c')],
}
const yours: Parts = {
  ...base,
  // a changed, b removed, mine added
  fragments: [fragment('a', 'by me'), fragment('mine'), fragment('c')],
  settings: { temperature: 1, seed: 7 },
}
const theirs: Parts = {
  ...base,
  fragments: [fragment('a', 'by them'), fragment('b'), fragment('c', 'theirs'), fragment('new')],
  memories: [{ key: 'diet', text: 'vegetarian', message_id: null }],
}
const found = differences(base, yours, theirs)

test('every difference says who made it, in words of both sides', () => {
  expect(found.map(({ key, changedBy }) => [key, changedBy])).toEqual([
    ['fragment a', null],
    ['fragment mine', 'yours'],
    ['fragment c', 'theirs'],
    ['setting seed', 'yours'],
    ['fragment b', 'yours'],
    ['fragment new', 'theirs'],
    ['memory diet', 'theirs'],
  ])
  expect(found[0]).toMatchObject({ title: 'Hint', yours: 'by me', theirs: 'by them' })
  expect(found[4]).toMatchObject({ yours: null, theirs: 'b' })
  expect(differences(base, yours, yours)).toEqual([])
})

describe('the merge', () => {
  const all = (side: Side) => merged(found, yours, theirs, () => side)

  test('of one side alone is that side', () => {
    expect(all('yours')).toEqual(yours)
    expect(all('theirs')).toEqual(theirs)
  })

  test('takes what one side changed from that side, and of both the person’s', () => {
    const { fragments, memories, settings } = merged(found, yours, theirs, proposed)
    expect(fragments.map(({ id, data }) => `${id}: ${data}`)).toEqual([
      ...['a: by me', 'mine: mine', 'c: theirs', 'new: new'],
    ])
    expect(memories).toHaveLength(1)
    expect(settings).toEqual({ temperature: 1, seed: 7 })
  })
})

test('another order is a difference, and is taken from either side', () => {
  const turned: Parts = { ...base, fragments: [fragment('c'), fragment('a'), fragment('b')] }
  const [difference, ...more] = differences(base, turned, base)
  expect(more).toEqual([])
  expect(difference).toMatchObject({ title: 'Order', changedBy: 'yours' })
  const order = (side: Side) =>
    merged(difference ? [difference] : [], turned, base, () => side).fragments.map(({ id }) => id)
  expect(order('yours')).toEqual(['c', 'a', 'b'])
  expect(order('theirs')).toEqual(['a', 'b', 'c'])
})
