import { describe, expect, test } from 'vitest'
import { MessageFinder } from '@/lib/graph/find-messages'
import { indexGraph } from '@/lib/graph/graph-index'
import { visibleGraph } from '@/lib/graph/visible-graph'
import { branch, messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'

// a ─ b ─ d     main
//  └─ c         "Über Porto", with the checkpoint "vor dem Essen"
const previews: Record<string, string> = {
  a: 'Three days in LISBON',
  b: 'A café near the river',
  c: 'Porto is smaller',
  d: 'Cafe closed, river flooded',
}
const sketch = sketchGraph('a', 'a>b', 'a>c', 'b>d')
const graph = {
  ...sketch,
  nodes: sketch.nodes.map((node) => ({ ...node, preview: previews[node.id] ?? '' })),
  branches: [branch('main', 'd'), branch('Über Porto', 'c')],
  checkpoints: [{ id: 'k', name: 'vor dem Essen', messageId: 'c', createdAt: 0 }],
}
const finder = new MessageFinder(visibleGraph(indexGraph(graph), { branchId: 'main' }))
const find = (words: string, also: string[] = []) => finder.find(words, new Set(also)).join('')

describe('finding in a drawing', () => {
  test.each([
    ...['lisbon → a', 'cafe → bd', 'RIVER café → bd', 'river flood → d', 'uber → c', 'essen porto → c'],
    ...['lisbon river → ', '    → ', '.* → '],
  ])('given words, then the messages that hold all of them are found: %s', (line) => {
    const [words = '', expected] = line.split(' → ')
    expect(find(words)).toBe(expected)
  })

  test('given messages that hold it deeper down, then they are among the others, in the order they are drawn', () => {
    expect(find('lisbon', ['d', 'gone'])).toBe('ad')
    expect(find('', ['d'])).toBe('')
  })
})

test('ten thousand messages are looked through between two key presses', () => {
  const many = sketchGraph(...messagesFrom(Array.from({ length: 10_000 }, (_, at) => Math.max(0, at - 1))))
  const nodes = many.nodes.map((node) => ({ ...node, preview: `${node.id} ${'so und so '.repeat(15)}` }))
  const all = new MessageFinder(visibleGraph(indexGraph({ ...many, nodes }), { branchId: 'main' }))
  const began = performance.now()
  for (let key = 0; key < 10; key++) expect(all.find('so und m99')).toHaveLength(111)
  expect((performance.now() - began) / 10).toBeLessThan(100)
})
