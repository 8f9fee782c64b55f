import { expect, test } from 'vitest'
import { indexGraph } from '@/lib/graph'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'
import { graphModel } from './graph-model'

// a ─ b ─ c ─ d
//      └─ e ─ f
const forked = sketchGraph('a', 'a>b', 'b>c', 'c>d', 'b>e', 'e>f')
const branches = [branch('main', 'd'), branch('second', 'f')]
const folded: ReadonlySet<string> = new Set()

test('another branch that is read lays out nothing anew, nor does one that is renamed', () => {
  const main = graphModel(indexGraph({ ...forked, branches }), { branchId: 'main', folded })
  const other = graphModel(main.index, { branchId: 'second', folded })
  const renamed = graphModel(
    indexGraph({ ...forked, branches: [branch('main', 'd'), { ...branch('second', 'f'), name: 'stairs' }] }),
    { branchId: 'second', folded },
  )
  for (const model of [other, renamed]) {
    expect(model.drawn).toBe(main.drawn)
    expect(model.map).toBe(main.map)
    expect([...model.lit]).toEqual(['a', 'b', 'e', 'f'])
  }
})
