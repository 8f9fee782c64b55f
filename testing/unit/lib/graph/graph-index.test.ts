import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { extendIndex, indexGraph } from '@/lib/graph/graph-index'
import { branch, messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'

const ids = (nodes: readonly { id: string }[]): string => nodes.map(({ id }) => id).join(' ')

// a ─ b ─ c ─ d
//  │   └─ e ─ f
//  └─ g
// h
const forked = sketchGraph('a', 'a>b', 'b>c', 'c>d', 'b>e', 'e>f', 'a>g', 'h')

describe('an index of a graph with forks', () => {
  const index = indexGraph(forked)

  test('knows where every message stands', () => {
    expect(index.byId('f')).toMatchObject({ lane: 1, depth: 3 })
    expect(index.at(1, 3)?.id).toBe('f')
    expect(index.at(1, 1)).toBeUndefined()
    expect(index.nextLane).toBe(4)
  })

  test('knows parents, children and versions', () => {
    expect(index.parentOf('e')?.id).toBe('b')
    expect(index.parentOf('h')).toBeNull()
    expect(ids(index.childrenOf('b'))).toBe('c e')
    expect(ids(index.siblingsOf('g'))).toBe('b g')
    expect(ids(index.siblingsOf('a'))).toBe('a h')
    expect(ids(index.roots)).toBe('a h')
  })

  test('orders versions by age, then lane', () => {
    const nodes = forked.nodes.map((node) => (node.id === 'c' ? { ...node, createdAt: 99 } : node))
    expect(ids(indexGraph({ ...forked, nodes }).siblingsOf('c'))).toBe('e c')
  })

  test('follows chains', () => {
    expect(ids(index.chainTo('f'))).toBe('a b e f')
    expect(ids(index.chainTo('h'))).toBe('h')
    expect(ids(index.chainTo('nowhere'))).toBe('')
    expect(index.isOnChain('b', 'f')).toBe(true)
    expect(index.isOnChain('c', 'f')).toBe(false)
    expect(index.isOnChain('f', 'b')).toBe(false)
    expect(index.isOnChain('a', null)).toBe(false)
  })

  test('finds where chains part', () => {
    expect(index.commonAncestor('d', 'f')?.id).toBe('b')
    expect(index.commonAncestor('d', 'g')?.id).toBe('a')
    expect(index.commonAncestor('b', 'f')?.id).toBe('b')
    expect(index.commonAncestor('d', 'h')).toBeNull()
  })

  test('goes down by the newest reply', () => {
    expect(index.newestBelow('a')?.id).toBe('g')
    expect(index.newestBelow('b')?.id).toBe('f')
    expect(index.newestBelow('nowhere')).toBeUndefined()
  })
})

describe('the branch that holds a message', () => {
  const [main, second] = [branch('main', 'd'), branch('second', 'f')]
  const old = branch('old', 'f', { archivedAt: 9 })
  test.each([
    ['the one asked for, if its chain holds it', [main, second], 'b', 'main', 'main'],
    ['another than the one asked for, if its chain does not', [main, second], 'e', 'main', 'second'],
    ['the latest used of several', [main, second, branch('third', 'e')], 'b', undefined, 'second'],
    ['none that is archived while another holds it', [main, old], 'b', undefined, 'main'],
    ['an archived one when nothing else holds it', [main, old], 'f', undefined, 'old'],
    ['none for a message on no chain', [main, branch('empty', null)], 'h', undefined, undefined],
  ])('is %s', (_, branches, id, asked, name) => {
    expect(indexGraph({ ...forked, branches }).branchHolding(id, asked)?.name).toBe(name)
  })

  test('ends there or only holds it', () => {
    expect(indexGraph({ ...forked, branches: [main, second] }).branchesAt('d')).toEqual([main])
  })
})

describe('extending an index', () => {
  test('gives the answers of an index built anew, and leaves the earlier one as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 2, maxLength: 40 }), fc.nat(), (picks, cut) => {
        const messages = messagesFrom(picks)
        const whole = sketchGraph(...messages)
        const earlier = indexGraph(sketchGraph(...messages.slice(0, cut % messages.length)))
        const before = earlier.graph.nodes.map(({ id }) => ids(earlier.childrenOf(id)))
        // the same objects at the front, as applyDelta leaves them
        const nodes = [...earlier.graph.nodes, ...whole.nodes.slice(earlier.graph.nodes.length)]
        const lanes = [...earlier.graph.lanes, ...whole.lanes.slice(earlier.graph.lanes.length)]
        const extended = extendIndex(earlier, { ...whole, nodes, lanes })
        const anew = indexGraph(whole)
        for (const { id } of whole.nodes) {
          expect(ids(extended.chainTo(id))).toBe(ids(anew.chainTo(id)))
          expect(ids(extended.childrenOf(id))).toBe(ids(anew.childrenOf(id)))
          expect(ids(extended.siblingsOf(id))).toBe(ids(anew.siblingsOf(id)))
        }
        expect(extended.nextLane).toBe(anew.nextLane)
        expect(earlier.graph.nodes.map(({ id }) => ids(earlier.childrenOf(id)))).toEqual(before)
      }),
    )
  })

  test('a reply that came before its parent finds it when it comes', () => {
    const whole = sketchGraph('a', 'a>b', 'b>c')
    const [a, b, c] = whole.nodes
    const early = indexGraph({ ...whole, nodes: [a, c].flatMap((node) => node ?? []) })
    expect(ids(early.chainTo('c'))).toBe('c')
    const late = extendIndex(early, { ...whole, nodes: [...early.graph.nodes, ...(b ? [b] : [])] })
    expect(ids(late.chainTo('c'))).toBe('a b c')
    expect(ids(late.roots)).toBe('a')
  })
})

test('ancestry by lanes agrees with walking up', () => {
  const picked = fc.array(fc.nat(), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(picked, fc.nat(), fc.nat(), (picks, one, other) => {
      const index = indexGraph(sketchGraph(...messagesFrom(picks)))
      const a = `m${one % picks.length}`
      const b = `m${other % picks.length}`
      const above = new Set(index.chainTo(a).map(({ id }) => id))
      const shared = index.chainTo(b).filter(({ id }) => above.has(id))
      expect(index.commonAncestor(a, b)).toBe(shared.at(-1) ?? null)
      expect(index.isOnChain(a, b)).toBe(index.chainTo(b).some(({ id }) => id === a))
    }),
  )
})
