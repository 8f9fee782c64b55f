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
  const index = indexGraph(saying(words, branches, ...messages))

  test('is what was said first on it, without the full stop', () => {
    expect(branchTitle(index, 'main-v2')).toBe('One of us is vegetarian')
  })

  test('given a reply as its first message, then it is another answer', () => {
    expect(branchTitle(index, 'main-v3')).toBe('another answer')
  })

  test('given the first branch, then it is its name', () => {
    expect(branchTitle(index, 'main')).toBe('main')
  })

  test('given an unknown branch, then it is empty', () => {
    expect(branchTitle(index, 'elsewhere')).toBe('')
  })

  test('given a branch with nothing of its own, then it is new', () => {
    const graph = saying(words, [...branches, fromMain('main-v4', 'a')], ...messages)
    expect(branchTitle(indexGraph(graph), 'main-v4')).toBe('new branch')
  })

  test('given a name that a person chose, then it is that name, whatever is stored', () => {
    const renamed = fromMain('meat', 'va', { title: 'Vegetarian food' })
    const graph = saying(words, [branch('main', 'a2'), renamed], ...messages)
    expect(branchTitle(indexGraph(graph), 'meat')).toBe('meat')
  })

  test('given a stored title, then it is that', () => {
    const titled = fromMain('main-v2', 'va', { title: 'Vegetarian food' })
    const graph = saying(words, [branch('main', 'a2'), titled], ...messages)
    expect(branchTitle(indexGraph(graph), 'main-v2')).toBe('Vegetarian food')
  })

  test('given another first message, then it begins where that differs', () => {
    const question = 'We have three days in Lisbon in'
    const graph = saying(
      { q: `${question} May. What should we see?`, r: `${question} January. What should we see?` },
      [branch('main', 'a'), fromMain('main-v2', 'ra')],
      ...['q', 'q>a', 'r', 'r>ra'],
    )
    expect(branchTitle(indexGraph(graph), 'main-v2')).toBe('…Lisbon in January')
  })

  test('given a long chat whose messages have not arrived, then it is the name', () => {
    const graph = { ...saying(words, branches, ...messages), nodes: [] }
    expect(branchTitle(indexGraph(graph), 'main-v2')).toBe('main-v2')
  })

  test('given a branch of a branch, then its own first message counts', () => {
    const nested = branch('main-v2-v2', 'w', { parentBranchId: 'main-v2' })
    const graph = saying({ ...words, w: 'Two of us' }, [...branches, nested], ...messages, 'va>w')
    expect(branchTitle(indexGraph(graph), 'main-v2-v2')).toBe('Two of us')
  })

  test('given the branch it left has been continued, then it stays the same', () => {
    const before = saying(words, [branch('main', 'a'), fromMain('main-v2', 'va')], ...messages)
    expect(branchTitle(indexGraph(before), 'main-v2')).toBe('One of us is vegetarian')
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
