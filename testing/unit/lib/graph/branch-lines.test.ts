import { expect, test } from 'vitest'
import { branchLines, findBranches } from '@/lib/graph/branch-lines'
import { indexGraph } from '@/lib/graph/graph-index'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

const graph = {
  ...sketchGraph('q', 'q>a', 'a>q2', 'a>wish'),
  branches: [
    branch('main', 'q2'),
    branch('main-v2', 'wish', { parentBranchId: 'main', createdAt: 2 }),
    branch('empty', null, { createdAt: 9, archivedAt: 10 }),
  ],
}

const lines = branchLines(indexGraph(graph))

test('the branches of a graph as lists show them have a title, a colour, a count, last words and an age', () => {
  expect(
    lines.map(({ title, lane, count, preview, usedAt }) => [title, lane, count, preview, usedAt]),
  ).toEqual([
    ['Main line', 0, 3, 'q2', 2],
    ['wish', 1, 3, 'wish', 3],
    ['empty', null, 0, '', 9],
  ])
})

test.each([
  ['', ['main', 'main-v2', 'empty']],
  ['WISH v2', ['main-v2']],
  ['q2', ['main']],
  ['nothing of that', []],
])('given %j, then those with all the words are found', (words, names) => {
  expect(findBranches(lines, words).map(({ name }) => name)).toEqual(names)
})
