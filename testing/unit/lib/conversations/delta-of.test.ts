import { expect, test } from 'vitest'
import { mergeDeltas } from '@/lib/conversations/delta-of'
import { branch } from '@/testing/worlds/sketch-graph'

test('given a turn during which another branch moved, then its whole delta says nothing of that branch', () => {
  // given an edit that opened a branch while main stood at q2, and its reply later
  const opened = { chatId: 'c', seq: 10, branches: [branch('main', 'q2'), branch('edit', 'q1b')] }
  const replied = { chatId: 'c', seq: 14, branches: [branch('edit', 'a1b')], endedRuns: ['r'] }
  // then only what the reply moved is told under its number
  expect(mergeDeltas(opened, replied)).toMatchObject({
    seq: 14,
    branches: [branch('edit', 'a1b')],
    endedRuns: ['r'],
  })
})
