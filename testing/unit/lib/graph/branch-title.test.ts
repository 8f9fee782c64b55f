import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { branchTitle, isMadeName, type TitledBranch, titlesOf } from '@/lib/graph/branch-title'
import { indexGraph } from '@/lib/graph/graph-index'
import type { Graph, GraphBranch } from '@/lib/protocol'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

/** A graph whose messages say what `words` has for them. */
function saying(words: Record<string, string>, branches: GraphBranch[], ...messages: string[]): Graph {
  const graph = sketchGraph(...messages)
  const nodes = graph.nodes.map((node) => ({ ...node, preview: words[node.id] ?? node.preview }))
  return { ...graph, nodes, branches }
}

const fromMain = (name: string, headId: string | null, more: Partial<GraphBranch> = {}) =>
  branch(name, headId, { parentBranchId: 'main', ...more })

//  q ─ a ─ q2 ─ a2          main
//  │    └─ v ─ va           main-v2
//  └─ b                     main-v3: another answer
const words = { v: 'One of us is vegetarian.', q: 'Plan **three** days', q2: 'And day two?' }
const messages = ['q', 'q>a', 'a>q2', 'q2>a2', 'a>v', 'v>va', 'q>b']
const branches = [branch('main', 'a2'), fromMain('main-v2', 'va'), fromMain('main-v3', 'b')]

describe('the title of a branch', () => {
  const titled = { title: 'Vegetarian food' }
  const differs = 'We have three days in Lisbon in'
  const graph = saying(words, branches, ...messages)
  const withBranch = (one: GraphBranch, more: Record<string, string> = {}, ...later: string[]) =>
    saying({ ...words, ...more }, [...branches.filter(({ id }) => id !== one.id), one], ...messages, ...later)

  const own = 'One of us is vegetarian'
  const chosen = withBranch(fromMain('meat', 'va', titled))
  const elsewhen = saying(
    { q: `${differs} May. What should we see?`, r: `${differs} January. What should we see?` },
    [branch('main', 'a'), fromMain('main-v2', 'ra')],
    ...['q', 'q>a', 'r', 'r>ra'],
  )
  const onward = branch('main-v2-v2', 'w', { parentBranchId: 'main-v2' })
  const deeper = withBranch(onward, { w: 'Two of us' }, 'va>w')
  const left = saying(words, [branch('main', 'a'), fromMain('main-v2', 'va')], ...messages)
  test.each([
    ['words said first on it, then those without the full stop', own, 'main-v2', graph],
    ['a reply as its first message, then another answer', 'another answer', 'main-v3', graph],
    ['the first branch, then its name', 'main', 'main', graph],
    ['an unknown branch, then none', '', 'elsewhere', graph],
    ['nothing of its own, then new', 'new branch', 'main-v4', withBranch(fromMain('main-v4', 'a'))],
    ['a name that a person chose, then that, whatever is stored', 'meat', 'meat', chosen],
    ['a stored title, then that', titled.title, 'main-v2', withBranch(fromMain('main-v2', 'va', titled))],
    ['messages that have not arrived, then its name', 'main-v2', 'main-v2', { ...graph, nodes: [] }],
    ['another first message, then where that differs', '…Lisbon in January', 'main-v2', elsewhen],
    ['a branch of a branch, then its own first message', 'Two of us', 'main-v2-v2', deeper],
    ['a branch it left that was not continued, then the same', own, 'main-v2', left],
  ] as [string, string, string, Graph][])('given %s: “%s” is the title', (_, title, branchId, graph) => {
    expect(branchTitle(indexGraph(graph), branchId)).toBe(title)
  })
})

// making one is slow
const letters = new Intl.Segmenter()

const said = (name: string, preview: string): TitledBranch => ({
  id: name,
  name,
  first: { role: 'user', preview },
})

describe('titles that would be the same', () => {
  test('given a longer text that differs, then the later one has more words', () => {
    const start = 'One of us does not eat any meat'
    const titles = titlesOf([said('main-v2', `${start} or fish`), said('main-v3', `${start} but likes fish`)])
    expect([...titles.values()]).toEqual([`${start}…`, `${start} but likes fish`])
  })

  test('given the same words, then the later one has the number of its name', () => {
    const titles = titlesOf([said('main-v2', 'Again'), said('main-v3', 'again'), said('x-v3', 'Again')])
    expect([...titles.values()]).toEqual(['Again', 'again · v3', 'Again · x-v3'])
  })

  test('given a name that a person chose, then it is that branch that keeps it', () => {
    const titles = titlesOf([said('main-v2', 'Again'), said('Again', 'whatever')])
    expect([...titles.values()].sort()).toEqual(['Again', 'Again · v2'])
  })

  const anyBranch = fc.record({
    name: fc.oneof(
      fc.nat(9).map((n) => `main-v${n + 2}`),
      fc.constantFrom('main', 'again', 'again · v2', 'again · main-v2', 'main-v2 (2)', 'new branch'),
    ),
    title: fc.constantFrom(null, undefined, 'again', 'again · main-v3'),
    first: fc.oneof(
      fc.constantFrom(null, undefined),
      fc.record({
        role: fc.constantFrom('user', 'assistant'),
        preview: fc.oneof(fc.constantFrom('again', 'Again', ''), fc.string({ maxLength: 160 })),
      }),
    ),
  })

  test('given any branches, then every title is another one, and none is empty or long', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyBranch, { selector: ({ name }) => name }), (drawn) => {
        const branches = drawn.map((some) => ({ ...some, id: some.name }))
        const titles = titlesOf(branches)
        expect(titles.size).toBe(branches.length)
        expect(new Set([...titles.values()].map((title) => title.toLowerCase())).size).toBe(branches.length)
        for (const [id, title] of titles) {
          expect(title.trim()).not.toBe('')
          if (isMadeName(id)) expect([...letters.segment(title)].length).toBeLessThan(70)
        }
      }),
    )
  })
})

test('given 10,000 messages and 500 branches, then their titles take a moment', () => {
  const line = Array.from({ length: 8000 }, (_, at) => (at === 0 ? 'm0' : `m${at - 1}>m${at}`))
  const forks = Array.from({ length: 500 }, (_, at) =>
    [`m${at * 16 + 1}>f${at}`, `f${at}>g${at}`, `g${at}>h${at}`, `h${at}>i${at}`].flat(),
  ).flat()
  const graph = sketchGraph(...line, ...forks)
  const many = Array.from({ length: 500 }, (_, at) => fromMain(`main-v${at + 2}`, `i${at}`))
  const times = [1, 2, 3, 4].map(() => {
    const index = indexGraph({ ...graph, branches: [branch('main', 'm7999'), ...many] })
    const before = performance.now()
    expect(branchTitle(index, 'main-v500')).toBe('f498')
    return performance.now() - before
  })
  expect(Math.min(...times)).toBeLessThan(100)
})
