import { expect, test } from 'vitest'
import { cardName, descriptionOf } from '@/components/explorer/model/words'
import type { GraphBranch, GraphNode } from '@/lib/protocol'

const reply: GraphNode = {
  id: 'r',
  lane: 0,
  depth: 1,
  role: 'assistant',
  preview: 'Hello',
  status: 'done',
  createdAt: 0,
}

test.each([
  [{}, 'Assistant: Hello'],
  [{ preview: '', status: 'streaming' as const }, 'Assistant: … Writing'],
  [{ status: 'stopped' as const }, 'Assistant: Hello Stopped'],
  [{ role: 'user' }, 'You: Hello'],
])('given a message with %j, a screen reader is told %j', (over, name) => {
  expect(cardName({ ...reply, ...over })).toBe(name)
})

const branch = (name: string): GraphBranch => ({
  id: name,
  name,
  headId: 'r',
  parentBranchId: null,
  createdAt: 0,
  archivedAt: null,
})
const good = { id: 'k', name: 'good', messageId: 'r', createdAt: 0 }

test.each([
  [undefined, false, undefined],
  [undefined, true, 'picked'],
  [{ branches: [branch('main')], waiting: [], checkpoints: [] }, false, 'Head of main'],
  [
    { branches: [branch('main')], waiting: [branch('main-v2')], checkpoints: [good] },
    true,
    'Head of main and main-v2, checkpoint good, picked',
  ],
])(
  'given the labels %j, and that it is picked: %s, a screen reader is also told %j',
  (labels, isPicked, told) => {
    expect(descriptionOf(labels, isPicked)).toBe(told)
  },
)
