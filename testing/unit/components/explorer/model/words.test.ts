import { expect, test } from 'vitest'
import { cardName, descriptionOf } from '@/components/explorer/model/words'
import type { GraphNode } from '@/lib/protocol'
import { branch } from '@/testing/worlds/sketch-graph'

const reply: GraphNode = {
  ...{ id: 'r', lane: 0, depth: 1, createdAt: 0 },
  ...{ role: 'assistant', preview: 'Hello', status: 'done' },
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
const head = { branches: [branch('main', 'r')], waiting: [], checkpoints: [] }

test.each([
  [undefined, false, undefined],
  [undefined, true, 'picked'],
  [head, false, 'Head of main'],
  [
    { ...head, waiting: [branch('main-v2', 'r')], checkpoints: [good] },
    true,
    'Head of main and main-v2, checkpoint good, picked',
  ],
])('given the labels %j, and that it is picked: %s, it is also told %j', (labels, isPicked, told) => {
  expect(descriptionOf(labels, isPicked)).toBe(told)
})
