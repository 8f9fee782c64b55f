import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinHistories, packHistory, unpackHistory } from '@/lib/graph/history/pack-history'
import type { History, Movement } from '@/lib/protocol'

const id = fc.constantFrom('b1', 'b2', 'b3')
const name = fc.string({ maxLength: 5 })
const place = fc.record({ lane: fc.nat(9), depth: fc.nat(99) })
const base = { seq: fc.nat(9999), at: fc.nat() }

const movement: fc.Arbitrary<Movement> = fc.oneof(
  fc.record({ ...base, kind: fc.constant('message' as const), branchId: id, place }),
  fc.record({
    ...base,
    kind: fc.constant('opened' as const),
    branchId: id,
    name,
    from: fc.option(id),
    place: fc.option(place),
  }),
  fc.record({ ...base, kind: fc.constant('headed' as const), branchId: id, place: fc.option(place) }),
  fc.record({ ...base, kind: fc.constant('renamed' as const), branchId: id, name }),
  fc.record({ ...base, kind: fc.constantFrom('archived', 'restored', 'switched'), branchId: id }),
  fc.record({ ...base, kind: fc.constant('saved' as const), name, checkpointId: fc.option(id), place }),
  fc.record({ ...base, kind: fc.constant('moved' as const), name, place }),
  fc.record({ ...base, kind: fc.constant('removed' as const), name }),
)
const history: fc.Arbitrary<History> = fc.record({
  chatId: fc.constant('chat'),
  seq: fc.nat(),
  movements: fc.array(movement),
})

test('given any history, when it is packed, sent and unpacked, then it is the same', () => {
  fc.assert(
    fc.property(history, (given) => {
      expect(unpackHistory(JSON.parse(JSON.stringify(packHistory(given))))).toEqual(given)
    }),
  )
})

test('given one talk without forks, when it is packed, then a message is a letter and small numbers', () => {
  const movements = [0, 1, 2].map(
    (depth): Movement => ({
      kind: 'message',
      branchId: 'b1',
      seq: depth + 2,
      at: 5000 + depth * 100,
      place: { lane: 0, depth },
    }),
  )
  expect(packHistory({ chatId: 'chat', seq: 4, movements })).toEqual({
    chatId: 'chat',
    seq: 4,
    kinds: 'mmm',
    seqs: [2, 1, 1],
    times: [5000, 100, 100],
    places: [0, 0, 0, 1, 0, 1],
    refs: [0, 0, 0],
    ids: ['b1'],
    names: [],
  })
})

test('given columns that do not belong together, when they are unpacked, then that is refused', () => {
  const packed = packHistory({ chatId: 'chat', seq: 1, movements: [] })
  expect(() => unpackHistory({ ...packed, kinds: 'm' })).toThrow('This history is broken')
  expect(() => unpackHistory({ ...packed, kinds: '?', seqs: [1], times: [1] })).toThrow('broken')
})

test('given a history and what came after, when they overlap, then nothing is told twice', () => {
  const removed = (seq: number): Movement => ({ kind: 'removed', name: `k${seq}`, seq, at: seq })
  const earlier = { chatId: 'chat', seq: 3, movements: [removed(1), removed(3)] }
  const later = { chatId: 'chat', seq: 5, movements: [removed(3), removed(4)] }
  expect(joinHistories(earlier, later)).toEqual({
    chatId: 'chat',
    seq: 5,
    movements: [removed(1), removed(3), removed(4)],
  })
})
