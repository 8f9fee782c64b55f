import { describe, expect, it } from 'vitest'
import { comparedBranch } from '@/components/explorer/canvas/graph-commands'
import { indexGraph } from '@/lib/graph'
import type { GraphBranch } from '@/lib/protocol'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

// a ─ b ─ d
//  └─ c
const compared = (id: string, branchId: string, ...branches: GraphBranch[]) =>
  comparedBranch({ index: indexGraph({ ...sketchGraph('a', 'a>b', 'a>c', 'b>d'), branches }), branchId }, id)
    ?.id

const main = branch('main', 'd')
const other = branch('other', 'c')
const archived = (name: string, headId: string) => branch(name, headId, { archivedAt: 5 })

describe('the branch a message stands for', () => {
  it('is the one it is the head of, else the one being read, else the one that holds it', () => {
    expect(compared('d', 'other', main, other)).toBe('main')
    expect(compared('a', 'other', main, other)).toBe('other')
    expect(compared('a', 'main', main, other)).toBe('main')
    expect(compared('b', 'other', main, other)).toBe('main')
  })

  it('is the one being read, of several with one head', () => {
    expect(compared('d', 'twin', main, branch('twin', 'd'))).toBe('twin')
    expect(compared('d', 'other', main, branch('twin', 'd'), other)).toBe('main')
  })

  it('is an archived branch only where no other leads', () => {
    expect(compared('b', 'main', archived('old', 'b'), main)).toBe('main')
    expect(compared('d', 'other', archived('old', 'd'), main, other)).toBe('main')
    expect(compared('c', 'main', main, archived('old', 'c'))).toBe('old')
    expect(compared('c', 'main', main)).toBeUndefined()
  })
})
