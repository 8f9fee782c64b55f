import { expect, test } from 'vitest'
import { joinWords } from '@/lib/conversations/replies/live-runs'

test('given words of one text in a row, when they are joined, then one part says them all', () => {
  const parts = joinWords([
    { type: 'start', messageId: 'a1' },
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: 'Ro' },
    { type: 'text-delta', id: '0', delta: 'me ' },
    { type: 'text-delta', id: '0', delta: 'is' },
    { type: 'text-end', id: '0' },
  ])

  expect(parts).toEqual([
    { type: 'start', messageId: 'a1' },
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: 'Rome is' },
    { type: 'text-end', id: '0' },
  ])
})

test('given words of two texts, or thoughts between them, when they are joined, then each keeps its place', () => {
  const parts = [
    { type: 'text-delta', id: '0', delta: 'one' },
    { type: 'text-delta', id: '1', delta: 'two' },
    { type: 'reasoning-delta', id: '1', delta: 'hm' },
    { type: 'text-delta', id: '1', delta: 'three' },
  ] as const

  expect(joinWords(parts)).toEqual(parts)
})
