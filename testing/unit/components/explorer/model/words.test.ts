import { expect, test } from 'vitest'
import { cardName, descriptionOf } from '@/components/explorer/model/words'
import { indexGraph } from '@/lib/graph'
import type { GraphNode } from '@/lib/protocol'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

const reply: GraphNode = {
  id: 'r',
  lane: 0,
  depth: 1,
  createdAt: 0,
  role: 'assistant',
  preview: 'Hello',
  status: 'done',
}

test.each([
  [{}, 'Assistant: Hello'],
  [{ preview: '', status: 'streaming' as const }, 'Assistant: … Writing'],
  [{ status: 'stopped' as const }, 'Assistant: Hello Stopped'],
  [{ role: 'user' }, 'You: Hello'],
])('given a message with %j, a screen reader is told %j', (over, name) => {
  expect(cardName({ ...reply, ...over })).toBe(name)
})

const good = { id: 'k', name: 'good', messageId: 'r', createdAt: 0 }
const waits = branch('main-v2', 'r', { parentBranchId: 'main' })
const index = indexGraph({ ...sketchGraph('q', 'q>r'), branches: [branch('main', 'r'), waits] })
const head = { branches: [branch('main', 'r')], waiting: [], checkpoints: [] }

test.each([
  [undefined, false, undefined],
  [undefined, true, 'picked'],
  [head, false, 'Head of Main line'],
  [
    { ...head, waiting: [waits], checkpoints: [good] },
    true,
    'Head of Main line and New branch, checkpoint good, picked',
  ],
])('given the labels %j, and that it is picked: %s, it is also told %j', (labels, isPicked, told) => {
  expect(descriptionOf(index, labels, isPicked)).toBe(told)
})
