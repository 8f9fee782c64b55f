import { describe, expect, it } from 'vitest'
import { comparable } from '@/components/inspector/comparable'
import { indexGraph } from '@/lib/graph'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

const sketched = sketchGraph('q1', 'q1>a1', 'a1>q2', 'q2>a2', 'a1>q3', 'q3>a3')
const index = indexGraph({ ...sketched, branches: [branch('main', 'a2'), branch('other', 'a3')] })
const ids = (replies: { id: string }[]) => replies.map(({ id }) => id)

describe('what a prompt can be compared with', () => {
  it('given a reply, then the reply above it, those of its branch, and those elsewhere', () => {
    const { before, here, elsewhere } = comparable(index, 'a2', 'main')
    expect([before?.id, ids(here), ids(elsewhere)]).toEqual(['a1', ['a1'], ['a3']])
  })

  it('given the next reply, then the last one of the branch is above it', () => {
    const { before, here } = comparable(index, null, 'main')
    expect([before?.id, ids(here)]).toEqual(['a2', ['a2', 'a1']])
  })

  it('given the first reply, then none is above it', () => {
    expect(comparable(index, 'a1', 'main').before).toBeNull()
  })
})
