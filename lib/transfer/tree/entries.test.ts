import { expect, test } from 'vitest'
import { entriesOf } from './entries'
import { Problems } from './problems'

const tree = (list: unknown) => {
  const { entries, isFlat } = entriesOf(list, new Problems(), { made: (message) => String(message.text) })
  return { isFlat, links: entries.map(({ id, parentId }) => `${parentId ?? ''} > ${id}`) }
}
const forked = { isFlat: false, links: [' > a', 'a > b', 'a > c', 'c > d'] }

test.each<[string, unknown]>([
  [
    'id and parent',
    [{ id: 'a' }, { id: 'b', parentId: 'a' }, { id: 'c', parentId: 'a' }, { id: 'd', parentId: 'c' }],
  ],
  [
    'message_id and parent_message_id',
    [
      { message_id: 'a', parent_message_id: null },
      { message_id: 'b', parent_message_id: 'a' },
      { message_id: 'c', parent_message_id: 'a' },
      { message_id: 'd', parent_message_id: 'c' },
    ],
  ],
  [
    'a parent of zeros',
    [
      { uuid: 'a', parent_uuid: '00000000-0000-4000-8000-000000000000' },
      { uuid: 'b', parent_uuid: 'a' },
      { uuid: 'c', parent_uuid: 'a' },
      { uuid: 'd', parent_uuid: 'c' },
    ],
  ],
  [
    'all messages above',
    [
      { id: 'a', ancestors: [] },
      { id: 'b', ancestors: ['a'] },
      { id: 'c', ancestors: ['a'] },
      { id: 'd', ancestors: ['a', 'c'] },
    ],
  ],
  [
    'ids of those below',
    [{ id: 'a', children: ['b', 'c'] }, { id: 'b' }, { id: 'c', children: ['d'] }, { id: 'd' }],
  ],
  ['messages in each other', [{ id: 'a', children: [{ id: 'b' }, { id: 'c', children: [{ id: 'd' }] }] }]],
  [
    'replies in each other, without ids',
    [{ text: 'a', replies: [{ text: 'b' }, { text: 'c', replies: [{ text: 'd' }] }] }],
  ],
  [
    'wrapped ids in a record',
    { a: { _id: { $oid: 'a' } }, b: { parent: 'a' }, c: { parent: { id: 'a' } }, d: { parents: ['c'] } },
  ],
])('a tree by %s', (_, list) => {
  expect(tree(list)).toEqual(forked)
})

test('a list without links is a chain, and what is no message is counted', () => {
  expect(tree([{ text: 'a' }, { text: 'b' }, { text: 'c' }])).toEqual({
    isFlat: true,
    links: [' > a', 'a > b', 'b > c'],
  })
  const problems = new Problems()
  expect(entriesOf([{ id: 'a' }, 7, null], problems).skipped).toBe(2)
  expect(problems.sentences).toEqual(['2 entries among the messages are none. They are left out.'])
})
