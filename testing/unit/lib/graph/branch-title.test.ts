import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMadeName, probeName } from '@/lib/events/branch-name'
import { branchTitle, type TitledBranch, titlesOf } from '@/lib/graph/branch-title'
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
//  └─ b                     main-v3: a second answer
const words = {
  a: 'Gladly, with a tram.',
  b: 'On foot, then.',
  v: 'One of us is vegetarian.',
  q: 'Plan **three** days',
  q2: 'And day two?',
}
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
  const named = saying(words, [branch('trip', 'a2')], ...messages)
  const undone = saying(words, [branch('main', 'a2'), fromMain('main-v2-undone-12', 'va')], ...messages)
  const probe = probeName('0199-4a5b6c7d8e9f', 2)
  const undoneChosen = withBranch(fromMain('meat-undone-3', 'va'))
  const left = saying(words, [branch('main', 'a'), fromMain('main-v2', 'va')], ...messages)
  test.each([
    ['words said first on it, then those without the full stop', own, 'main-v2', graph],
    ['a reply as its first message, then the words of that', 'On foot, then', 'main-v3', graph],
    ['the first branch, then the main line', 'Main line', 'main', graph],
    ['a first branch that was named, then that', 'trip', 'trip', named],
    ['an unknown branch, then none', '', 'elsewhere', graph],
    ['nothing of its own, then new', 'New branch', 'main-v4', withBranch(fromMain('main-v4', 'a'))],
    ['a name that a person chose, then that, whatever is stored', 'meat', 'meat', chosen],
    ['a stored title, then that', titled.title, 'main-v2', withBranch(fromMain('main-v2', 'va', titled))],
    ['messages that have not arrived, then no handle', 'Another branch', 'main-v2', { ...graph, nodes: [] }],
    [
      'the name of a run of a bisect, then no handle',
      own,
      probe,
      saying(words, [branch('main', 'a2'), fromMain(probe, 'va')], ...messages),
    ],
    ['a name that Undo has moved away, then no handle', own, 'main-v2-undone-12', undone],
    ['a chosen name that Undo has moved away, then that name', 'meat', 'meat-undone-3', undoneChosen],
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

/** The titles of branches on which another reply to one question was said first, oldest first. */
function titlesOfAnswers(...answers: { says: string; title?: string }[]): string[] {
  const nodes = answers.map((_, at) => `r${at}`)
  const graph = saying(
    Object.fromEntries(answers.map(({ says }, at) => [`r${at}`, says])),
    answers.map(({ title }, at) =>
      at === 0 ? branch('main', 'r0') : fromMain(`main-v${at + 1}`, `r${at}`, { title: title ?? null }),
    ),
    ...['q', ...nodes.map((id) => `q>${id}`)],
  )
  const index = indexGraph(graph)
  return graph.branches.slice(1).map(({ id }) => branchTitle(index, id))
}

describe('replies to one question', () => {
  const start = 'Three days is a good length for Lisbon'
  const long = `${start} in May, and hardly a stair is in the way.`

  test('given five that say the same, then only their numbers differ', () => {
    const same = Array.from({ length: 6 }, () => ({ says: long }))
    expect(titlesOfAnswers(...same)).toEqual(['2nd', '3rd', '4th', '5th', '6th'].map((n) => `${n} answer`))
  })

  test('given three that say the same, but not what the first said, then the words, and of the others the number', () => {
    const same = { says: 'You asked me “We have three days in Lisbon”. I have no opinion.' }
    expect(titlesOfAnswers({ says: long }, same, same, same)).toEqual([
      'You asked me “We have three days…',
      '3rd answer',
      '4th answer',
    ])
  })

  test('given one that goes another way, then its title begins there', () => {
    expect(titlesOfAnswers({ says: long }, { says: `${start} if you walk fast.` })).toEqual([
      '…for Lisbon if you walk fast',
    ])
  })

  test('given one that says something else, then its own words', () => {
    expect(titlesOfAnswers({ says: long }, { says: 'Go to **Porto** instead.' })).toEqual([
      'Go to Porto instead',
    ])
  })

  test('given one that stops earlier, then it is shorter; a second one of that kind has its number', () => {
    expect(titlesOfAnswers({ says: long }, { says: start }, { says: start })).toEqual([
      'Shorter answer',
      '3rd answer',
    ])
  })

  test('given other models, then their names, and of one that was asked again its words', () => {
    const title = 'gpt-5’s answer'
    expect(
      titlesOfAnswers(
        { says: long },
        { says: 'Two days do.', title },
        { says: 'x', title: 'opus’s answer' },
        { says: 'Four.', title },
      ),
    ).toEqual([title, 'opus’s answer', 'Four'])
  })

  test('given one without words, as of a tool, then its number', () => {
    expect(titlesOfAnswers({ says: long }, { says: '' })).toEqual(['2nd answer'])
  })

  test('given one sibling more, then no other title changes', () => {
    const three = [{ says: long }, { says: start }, { says: 'Four days.' }]
    expect(titlesOfAnswers(...three, { says: long }).slice(0, 2)).toEqual(titlesOfAnswers(...three))
  })
})

/** The title of a branch by its first message, which another one may be the original of. */
const titleSaying = (preview: string, original?: string): string | undefined =>
  titlesOf([
    { id: 'x', name: 'main-v2', first: { role: 'user', preview, original, place: original ? 2 : 1 } },
  ]).get('x')

describe('the words of a title', () => {
  test.each([
    ['code alone', '```ts\nconst a = 1\n```', 'const a = 1'],
    ['a heading', '# Plan\n\n- one', 'Plan - one'],
    ['a link', '[Pena](https://pena.example) first', 'Pena first'],
    ['a picture alone, by its name', 'stairs.png', 'stairs.png'],
    ['no words at all', '', 'Another version'],
    ['Chinese', '我们计划在里斯本度过三天，我们应该先看什么地方呢？', '我们计划在里斯本度过三天'],
    ['Arabic', 'ثلاثة أيام في لشبونة', 'ثلاثة أيام في لشبونة'],
    ['families of emoji', '👨‍👩‍👧‍👦'.repeat(30), `${'👨‍👩‍👧‍👦'.repeat(16)}…`],
    ['a very long word', 'x'.repeat(500), `${'x'.repeat(32)}…`],
  ])('given %s', (_, preview, title) => {
    expect(titleSaying(preview)).toBe(title)
  })

  test.each([
    ['the same words again', 'And day two?', 'And day two?', '2nd version'],
    [
      'Chinese that goes another way',
      '我们计划在里斯本度过三天，先看佩纳宫。',
      '我们计划在里斯本度过三天，先看海滩。',
      '…三天，先看佩纳宫。',
    ],
  ])('given an edit of %s', (_, preview, original, title) => {
    expect(titleSaying(preview, original)).toBe(title)
  })
})

describe('titles that would be the same', () => {
  test('given a longer text that differs, then the later one begins where it differs', () => {
    const start = 'One of us does not eat any meat'
    const titles = titlesOf([said('main-v2', `${start} or fish`), said('main-v3', `${start} but likes fish`)])
    expect([...titles.values()]).toEqual([`${start}…`, '…any meat but likes fish'])
  })

  test('given the same words, then the later ones are counted', () => {
    const titles = titlesOf([said('main-v2', 'Again'), said('main-v3', 'again'), said('x-v3', 'Again')])
    expect([...titles.values()]).toEqual(['Again', 'again 2', 'Again 3'])
  })

  test('given a name that a person chose, then it is that branch that keeps it', () => {
    const titles = titlesOf([said('main-v2', 'Again'), said('Again', 'whatever')])
    expect([...titles.values()].sort()).toEqual(['Again', 'Again 2'])
  })

  const anyBranch = fc.record({
    name: fc.oneof(
      fc.nat(9).map((n) => `main-v${n + 2}`),
      fc.constantFrom('main', 'again', 'again 2', 'again-undone-7', 'Main line', 'New branch', '2nd answer'),
    ),
    title: fc.constantFrom(null, undefined, 'again', 'again 2'),
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
          if (isMadeName(id)) expect([...letters.segment(title)].length).toBeLessThanOrEqual(41)
          expect(isMadeName(title)).toBe(false)
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
