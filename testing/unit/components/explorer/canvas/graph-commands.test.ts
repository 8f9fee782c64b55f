import { expect, test } from 'vitest'
import { comparedBranch } from '@/components/explorer/canvas/graph-commands'
import { indexGraph } from '@/lib/graph'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

// a ─ b ─ d
//  └─ c
const main = branch('main', 'd')
const other = branch('other', 'c')
const archived = (headId: string) => branch('old', headId, { archivedAt: 5 })

test.each([
  // the branch it is the head of, else the one being read, else the one that holds it
  ['d', 'other', [main, other], 'main'],
  ['a', 'other', [main, other], 'other'],
  ['a', 'main', [main, other], 'main'],
  ['b', 'other', [main, other], 'main'],
  // of several with one head, the one being read
  ['d', 'twin', [main, branch('twin', 'd')], 'twin'],
  ['d', 'other', [main, branch('twin', 'd'), other], 'main'],
  // an archived branch only where no other leads
  ['b', 'main', [archived('b'), main], 'main'],
  ['d', 'other', [archived('d'), main, other], 'main'],
  ['c', 'main', [main, archived('c')], 'old'],
  ['c', 'main', [main], undefined],
])('the message %s stands for a branch while %s is read', (id, branchId, branches, compared) => {
  const index = indexGraph({ ...sketchGraph('a', 'a>b', 'a>c', 'b>d'), branches })
  expect(comparedBranch({ index, branchId }, id)?.id).toBe(compared)
})
