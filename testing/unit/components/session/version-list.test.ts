import { expect, test } from 'vitest'
import { versionList } from '@/components/session/version-list'
import { indexGraph } from '@/lib/graph'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

const graph = {
  ...sketchGraph('a', 'a>b', 'a>c', 'b>d', 'a>e'),
  branches: [branch('main', 'd'), branch('other', 'c')],
}
const index = indexGraph(graph)
const main = graph.branches[0]?.id ?? ''

test('given a message with versions, then each is listed with the branch it is read on, oldest first', () => {
  const versions = versionList(index, 'b', main)
  expect(versions.map(({ node, branch: on }) => [node.id, on?.name, on?.title])).toEqual([
    ['b', 'main', 'Main line'],
    ['c', 'other', 'other'],
    ['e', undefined, undefined],
  ])
})

test('given a version no branch holds, then its reply has no address', () => {
  const [first, , last] = versionList(index, 'b', main)
  expect(last?.replyUrl).toBe(null)
  const { role, depth } = first?.node ?? { role: '', depth: 0 }
  // the window of one message ends right below the reply
  expect(first?.replyUrl).toContain(`before=${role === 'user' ? depth + 2 : depth + 1}&limit=1`)
})
