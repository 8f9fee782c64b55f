import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DrawnItem, drawnGraph } from '@/lib/graph/drawn-graph'
import { indexGraph } from '@/lib/graph/graph-index'
import { visibleGraph } from '@/lib/graph/visible-graph'
import { messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'

const visible = (messages: string[]) =>
  visibleGraph(indexGraph(sketchGraph(...messages)), { branchId: 'main' })
const draw = (folded: string, ...messages: string[]) =>
  drawnGraph(visible(messages), new Set(folded.split('')))

/** `a [bc] d`: what is drawn, depth first. */
const sketch = (items: readonly DrawnItem[]): string =>
  items
    .map((item) => (item.kind === 'message' ? item.id : `[${item.nodes.map(({ id }) => id).join('')}]`))
    .join(' ')

const line = ['a', 'a>b', 'b>c', 'c>d', 'd>e']

describe('the tree that is drawn', () => {
  // a ─ b ─ c ─ d ─ e
  test('has every message when nothing is folded, a row for each', () => {
    const { items } = draw('', ...line)
    expect(sketch(items)).toBe('a b c d e')
    expect(items.map(({ row }) => row)).toEqual([0, 1, 2, 3, 4])
  })

  // a ─ [b c d] ─ e
  test('has one item for a folded stretch, and closes up below it', () => {
    const { items, itemOf } = draw('bcd', ...line)
    expect(sketch(items)).toBe('a [bcd] e')
    expect(items.map(({ row }) => row)).toEqual([0, 1, 2])
    expect(itemOf('c')).toBe(items[1])
    expect(items[2]?.parentId).toBe(items[1]?.id)
  })

  // a ─ [b c] ─ [d e] ─ f
  test('begins another fold where a stretch is split', () => {
    const { items } = drawnGraph(visible([...line, 'e>f']), new Set('bcde'), new Set('da'))
    expect(sketch(items)).toBe('a [bc] [de] f')
    expect(items.map(({ id }) => id)).toEqual(['a', 'fold b', 'fold d', 'f'])
  })

  // a ─ [b] ─ c ─ d ─ e
  test('shows a message that would be folded all by itself', () => {
    expect(sketch(draw('b', ...line).items)).toBe('a b c d e')
  })

  // a ─ [b c] ─ d ─ e
  //       └─ x
  test('hangs what replies to a folded message from the fold', () => {
    const { items, byId } = draw('bc', ...line, 'b>x')
    expect(sketch(items)).toBe('a [bc] d e x')
    expect(byId.get('x')).toMatchObject({ parentId: 'fold b', row: 2, version: 2, versions: 2 })
    expect(byId.get('fold b')?.childIds).toEqual(['d', 'x'])
  })

  // a ─ [b c] ─ d ─ e
  //       └─ [x y]
  test('keeps two lines apart, also where both are folded', () => {
    expect(sketch(draw('bcxy', ...line, 'b>x', 'x>y').items)).toBe('a [bc] d e [xy]')
  })

  test('leaves no message out and draws none twice, whatever is folded', () => {
    const picks = fc.array(fc.nat(), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(picks, fc.array(fc.nat({ max: 39 })), (all, some) => {
        const seen = visible(messagesFrom(all))
        const { items, byId, itemOf } = drawnGraph(seen, new Set(some.map((at) => `m${at}`)))
        const ids = items.flatMap((item) =>
          item.kind === 'message' ? [item.id] : item.nodes.map((n) => n.id),
        )
        expect([...ids].sort()).toEqual(seen.nodes.map(({ node }) => node.id).sort())
        for (const item of items) {
          const above = item.parentId === null ? undefined : byId.get(item.parentId)
          expect(item.row).toBe(above ? above.row + 1 : 0)
          if (above) expect(above.childIds).toContain(item.id)
          if (item.kind === 'fold') expect(item.nodes.length).toBeGreaterThan(1)
        }
        for (const { node } of seen.nodes) expect(itemOf(node.id)).toBeDefined()
      }),
    )
  })
})
