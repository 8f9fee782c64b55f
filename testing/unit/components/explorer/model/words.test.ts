import { expect, test } from 'vitest'
import { plainPreview } from '@/components/app/plain-preview'
import { cardName, descriptionOf } from '@/components/explorer/model/words'
import type { GraphBranch, GraphNode } from '@/lib/protocol'

test.each([
  ['1. **Morning**: climb to the *castle*', '1. Morning: climb to the castle'],
  ['A day: | When | What | |---|---| | 9:30 | Castle |', 'A day: · When · What · 9:30 · Castle'],
  ['## Plan for `today`', 'Plan for today'],
  ['see __this__ and _that_.', 'see this and that.'],
  // what is no mark stays
  ['2 * 3 * 4 is 24', '2 * 3 * 4 is 24'],
  ['snake_case_name and issue #4', 'snake_case_name and issue #4'],
])('given the preview %j, a card shows %j', (preview, shown) => {
  expect(plainPreview(preview)).toBe(shown)
})

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
