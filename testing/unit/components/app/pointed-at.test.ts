import { afterEach, expect, it, vi } from 'vitest'
import { pointedAt } from '@/components/app/pointed-at'

afterEach(() => {
  pointedAt.point('thread', null)
  pointedAt.point('graph', null)
  pointedAt.show(new Set())
})

it('lights a message for the other side, until the pointer leaves', () => {
  pointedAt.point('thread', 'a')
  expect([pointedAt.isLit('a', 'thread'), pointedAt.isLit('a', 'graph')]).toEqual([true, false])
  // a pointer that leaves the graph says nothing of the thread
  pointedAt.point('graph', null)
  expect(pointedAt.isLit('a', 'thread')).toBe(true)
  pointedAt.point('graph', 'b')
  expect([pointedAt.isLit('a', 'thread'), pointedAt.isLit('b', 'graph')]).toEqual([false, true])
})

it('tells the messages concerned, and no other', () => {
  const told = { a: vi.fn(), b: vi.fn(), c: vi.fn() }
  const leave = Object.entries(told).map(([id, listener]) => pointedAt.listen(id, listener))
  pointedAt.point('thread', 'a')
  pointedAt.point('thread', 'a')
  pointedAt.point('thread', 'b')
  expect([told.a.mock.calls.length, told.b.mock.calls.length, told.c.mock.calls.length]).toEqual([2, 1, 0])
  pointedAt.show(new Set(['b', 'c']))
  pointedAt.show(new Set(['c']))
  expect([told.b.mock.calls.length, told.c.mock.calls.length]).toEqual([3, 1])
  expect([pointedAt.isInView('b'), pointedAt.isInView('c')]).toEqual([false, true])
  for (const stop of leave) stop()
  pointedAt.show(new Set())
  expect(told.c).toHaveBeenCalledTimes(1)
})
