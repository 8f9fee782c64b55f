import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { archiveKey, foldId, indexGraph, keysTo, lineHeirs, type OutlineRow } from '@/lib/graph'
import type { Graph } from '@/lib/protocol'
import { branch, messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'
import { sketchOutline } from '@/testing/worlds/sketch-outline'

/** A chat as the sample is: porto forks at b, main ends at f, gentle goes on from c, green forks from its reply g. */
const lisbon: Graph = {
  ...sketchGraph(...'a a>b b>c c>d d>e e>f c>g g>h h>i i>j g>k k>l b>p p>q'.split(' ')),
  branches: [branch('main', 'f'), branch('gentle', 'j'), branch('green', 'l'), branch('porto', 'q')],
}
/** Lisbon, with a branch that leaves porto after its first message. */
const withPier = {
  ...sketchGraph(...'a a>b b>c c>d d>e e>f c>g g>h h>i i>j g>k k>l b>p p>q p>r'.split(' ')),
  branches: [...lisbon.branches, branch('pier', 'r')],
}
const twice: Graph = {
  ...sketchGraph('a', 'a>b', 'b>c', 'x', 'x>y'),
  branches: [branch('main', 'c'), branch('again', 'y')],
}

/** Lisbon with more branches, which begin on main. */
const lisbonWith = (heads: Record<string, string | null>): Graph => ({
  ...lisbon,
  branches: [
    ...lisbon.branches,
    ...Object.entries(heads).map(([name, head]) => branch(name, head, { parentBranchId: 'main' })),
  ],
})

const rowsOf = (...given: Parameters<typeof sketchOutline>) => sketchOutline(...given).rows

/** Rows as a person sees them: moved in, branches in brackets with their count. */
const drawn = (rows: readonly OutlineRow[]): string[] =>
  rows.map((row) => ' '.repeat(row.column) + words(row))

function words(row: OutlineRow): string {
  if (row.kind === 'more') return `${row.isOpen ? '-' : '+'}${row.count} more`
  if (row.kind === 'branch') {
    return `${row.isOpen ? '-' : '+'}[${row.branch?.name ?? ''}${row.isRest ? ' goes on' : ''} ${row.count}]`
  }
  const begins = row.begins ? [`${row.begins.name}:`] : []
  if (row.kind === 'fold') return [...begins, `(${row.item.nodes.length})`].join(' ')
  return [...begins, row.id, ...row.branches.map(({ name }) => `<${name}>`)].join(' ')
}

describe('the rows', () => {
  /** of gentle, from c on */
  const fromC = ['c', ' +[main goes on 3]', 'gentle: g', ' +[green 2]', 'h', 'i', 'j <gentle>']

  test.each([
    {
      are: 'the chain being read, and every other branch as one row at its fork',
      given: { branchId: 'gentle' },
      rows: ['main: a', 'b', ' +[porto 2]', ...fromC],
    },
    {
      are: 'below the row of a branch that is read, and what goes on without it is one row after them',
      given: { branchId: 'main' },
      rows: [
        'main: a',
        'b',
        ' +[porto 2]',
        'c',
        ' -[main goes on 3]',
        ' d',
        ' e',
        ' f <main>',
        '+[gentle 4]',
        ' +[green 2]',
      ],
    },
    {
      are: 'below the row of a branch that is opened',
      given: { branchId: 'gentle', opened: ['p'] },
      rows: ['main: a', 'b', ' -[porto 2]', ' p', ' q', ...fromC],
    },
    {
      are: 'none below the head: what others wrote there is closed',
      graph: lisbonWith({ new: 'b' }),
      given: { branchId: 'new' },
      rows: ['main: a', 'b <new>', ' +[porto 2]', '+[gentle 5]', ' +[main goes on 3]', ' +[green 2]'],
    },
    {
      are: 'named once: what a branch has below the fork of another is counted',
      graph: withPier,
      given: { branchId: 'pier' },
      rows: [
        'main: a',
        'b',
        ' -[porto 2]',
        ' p',
        '  -[pier 1]',
        '  r <pier>',
        ' +[ 1]',
        '+[gentle 5]',
        ' +[main goes on 3]',
        ' +[green 2]',
      ],
    },
    {
      are: 'branches without messages of their own, too: at their message, or at the top',
      graph: lisbonWith({ waits: 'b', empty: null }),
      given: { branchId: 'gentle' },
      rows: ['+[empty 0]', 'main: a', 'b <waits>', ' +[porto 2]', ...fromC],
    },
    {
      are: 'two lines in a chat with two beginnings',
      graph: twice,
      given: { branchId: 'again' },
      rows: ['-[again 2]', 'x', 'y <again>', '+[main 3]'],
    },
    {
      are: 'these two lines in the order of their branches',
      graph: twice,
      given: { branchId: 'main' },
      rows: ['+[again 2]', '-[main 3]', 'a', 'b', 'c <main>'],
    },
  ])('are $are', ({ graph = lisbon, given, rows }) => {
    expect(drawn(rowsOf(graph, given))).toEqual(rows)
  })

  test('name a branch where its messages begin in the line of an older one, and none in a chat with one branch', () => {
    const line = sketchGraph('a', 'a>b', 'b>c', 'c>d', 'd>e')
    const two = { ...line, branches: [branch('main', 'b'), branch('later', 'e')] }
    expect(drawn(rowsOf(two, { branchId: 'later' }))).toEqual([
      'main: a',
      'b <main>',
      'later: c',
      'd',
      'e <later>',
    ])
    expect(drawn(rowsOf(two, { folded: new Set(['c', 'd']), branchId: 'later' }))).toContain('later: (2)')
    const one = { ...line, branches: [branch('main', 'e')] }
    expect(drawn(rowsOf(one))).toEqual(['a', 'b', 'c', 'd', 'e <main>'])
  })

  test('do not say it where the name stands in the row, or in the row above', () => {
    const three = {
      ...sketchGraph('a', 'a>b', 'b>c', 'c>d', 'a>x', 'x>y'),
      branches: [branch('main', 'b'), branch('one', 'c'), branch('two', 'd'), branch('other', 'y')],
    }
    const rows = ['main: a', ' -[other 2]', ' x', ' y', 'b <main>', 'c <one>', 'd <two>']
    expect(drawn(rowsOf(three, { branchId: 'two', opened: ['x'] }))).toEqual(rows)
  })

  test('say what a closed branch begins and ends with', () => {
    const { row } = sketchOutline(lisbon, { branchId: 'gentle' })
    const porto = { first: { id: 'p' }, last: { id: 'q' }, opens: ['p'], isOpen: false }
    expect(row('branch porto')).toMatchObject(porto)
  })

  test('show a line that no branch leads to, and how many branches are archived, which open with that', () => {
    const branches = lisbon.branches.flatMap((each) =>
      each.id === 'green' ? [] : each.id === 'porto' ? { ...each, archivedAt: 9 } : each,
    )
    const shown = (...opened: string[]) =>
      drawn(rowsOf({ ...lisbon, branches }, { branchId: 'gentle', opened })).filter((row) =>
        /^ *[+-]/.test(row),
      )
    expect(shown()).toEqual([' +[main goes on 3]', ' +[ 2]', '+1 more'])
    expect(shown(archiveKey)).toEqual([' +[porto 2]', ' +[main goes on 3]', ' +[ 2]', '-1 more'])
  })

  test('leave out how many branches are archived where all they hold is in sight, as a remote’s after a pull', () => {
    const pulled = branch('work/main', 'c', { archivedAt: 9 })
    const graph = { ...sketchGraph('a', 'a>b', 'b>c', 'b>x'), branches: [branch('main', 'c'), pulled] }
    const archivedRows = (branches: (typeof graph)['branches']) =>
      drawn(rowsOf({ ...graph, branches }, { branchId: 'main' })).filter((row) => /more$/.test(row))
    expect(archivedRows(graph.branches)).toEqual([])
    const ahead = branch('work/main', 'x', { archivedAt: 9 })
    expect(archivedRows([...graph.branches, ahead])).toEqual(['+1 more'])
  })

  test('fold a stretch', () => {
    const graph = { ...sketchGraph('a', 'a>b', 'b>c', 'c>d', 'd>e'), branches: [branch('main', 'e')] }
    const rows = rowsOf(graph, { folded: new Set(['b', 'c']) })
    expect(drawn(rows)).toEqual(['a', '(2)', 'd', 'e <main>'])
    expect(rows[1]?.id).toBe(foldId('b'))
  })

  test('split a folded stretch where they are told to', () => {
    const graph = { ...sketchGraph('a', 'a>b', 'b>c', 'c>d', 'd>e', 'e>f'), branches: [branch('main', 'f')] }
    const rows = rowsOf(graph, { folded: new Set('bcde'), starts: ['d'] })
    expect(drawn(rows)).toEqual(['a', '(2)', '(2)', 'f <main>'])
  })
})

describe('many branches at one fork', () => {
  const many = Array.from({ length: 16 }, (_, at) => `r${at}`)
  const graph: Graph = {
    ...sketchGraph('a', 'a>b', 'b>c', 'c>d', ...many.map((id) => `b>${id}`)),
    branches: [branch('main', 'd'), ...many.map((id) => branch(`to ${id}`, id))],
  }

  test('are a few and a row for the rest', () => {
    const rows = drawn(rowsOf(graph))
    expect(rows.slice(1, 8)).toEqual(['b', ...[0, 1, 2, 3].map((at) => ` +[to r${at} 1]`), ' +12 more', 'c'])
  })

  test('are all there once they are asked for, and the branch being read always is', () => {
    expect(drawn(rowsOf(graph, { opened: ['more b'] }))).toHaveLength(4 + 16 + 1)
    expect(drawn(rowsOf(graph, { branchId: 'to r9' }))).toContain(' r9 <to r9>')
  })
})

describe('the order', () => {
  /** Graphs with a branch at every end. */
  const graphs = fc.array(fc.nat(), { minLength: 1, maxLength: 24 }).map((picks): Graph => {
    const graph = sketchGraph(...messagesFrom(picks))
    const index = indexGraph(graph)
    const ends = graph.nodes.filter(({ id }) => index.childrenOf(id).length === 0)
    return { ...graph, branches: ends.map(({ id }) => branch(`to ${id}`, id)) }
  })
  const ids = (all: readonly { id: string }[]) => all.map(({ id }) => id)
  const everyMore = ({ nodes }: Graph) => [...nodes.map(({ id }) => `more ${id}`), 'more ']
  /** The messages that rows show, or begin with, each with its column. */
  const messages = (rows: readonly OutlineRow[]) => [
    ...new Set(
      rows.flatMap((row) => {
        const id = row.kind === 'message' ? row.id : row.kind === 'branch' ? row.first?.id : undefined
        return id === undefined ? [] : `${id} at ${row.column}`
      }),
    ),
  ]

  test('and the columns are the same whatever is read and opened', () => {
    fc.assert(
      fc.property(graphs, fc.nat(), fc.nat(), fc.array(fc.nat()), (graph, one, other, opens) => {
        const { branches, nodes } = graph
        const read = (at: number, opened: string[]) =>
          messages(rowsOf(graph, { branchId: branches[at % branches.length]?.id ?? '', opened }))
        const everything = read(other, [...ids(nodes), ...everyMore(graph)])
        const some = read(
          one,
          opens.map((at) => nodes[at % nodes.length]?.id ?? ''),
        )
        const places = some.map((id) => everything.indexOf(id))
        expect(places).toEqual(places.toSorted((a, b) => a - b))
      }),
    )
  })

  test('has every message of the chain being read once, and every other branch once', () => {
    fc.assert(
      fc.property(graphs, fc.nat(), (graph, at) => {
        const here = graph.branches[at % graph.branches.length]
        const rows = rowsOf(graph, { branchId: here?.id ?? '', opened: everyMore(graph) })
        const read = rows.filter(({ kind }) => kind === 'message')
        expect(ids(read)).toEqual(ids(indexGraph(graph).chainTo(here?.headId ?? '')))
        const closed = rows.flatMap((row) => (row.kind === 'branch' ? (row.branch?.id ?? []) : []))
        // the branch being read has a row where it leaves another one
        const others = ids(graph.branches).filter((id) => id !== here?.id)
        expect(closed.filter((id) => id !== here?.id).toSorted()).toEqual(others.toSorted())
      }),
    )
  })

  test('stays when a shorter line becomes the longer one', () => {
    const before = lineHeirs(indexGraph(sketchGraph('a', 'a>b', 'b>c', 'a>x')))
    const grown = indexGraph(sketchGraph('a', 'a>b', 'b>c', 'a>x', 'x>y', 'y>z'))
    expect(lineHeirs(grown).get('a')).toBe('x')
    expect(lineHeirs(grown, before).get('a')).toBe('b')
  })

  test('is that of now at an earlier time: what was not there yet is missing, and nothing else moves', () => {
    const then = {
      ...sketchGraph('a', 'a>b', 'b>c', 'c>d', 'd>e', 'e>f', 'c>g', 'g>h'),
      branches: [branch('main', 'f'), branch('gentle', 'h')],
    }
    const rows = ['main: a', 'b', 'c', ' -[main goes on 3]', ' d', ' e', ' f <main>', '+[gentle 2]']
    expect(drawn(rowsOf(then, { heirsOf: lisbon }))).toEqual(rows)
  })
})

test('the way to a message is nothing on the chain being read, and every closed branch around it elsewhere', () => {
  const { model, tree } = sketchOutline(lisbon)
  const ways = ['e', 'h', 'l'].map((id) => keysTo(tree, id, model.lit))
  expect(ways).toEqual([[], ['g'], ['g', 'k']])
})

test('the place in the tree is said by level and position', () => {
  const { row } = sketchOutline(lisbon, { branchId: 'gentle', opened: ['p'] })
  for (const [id, level, position, siblings] of [
    ['a', 1, 1, 7],
    ['branch porto', 2, 1, 1],
    ['p', 3, 1, 2],
    ['q', 3, 2, 2],
    ['j', 1, 7, 7],
  ] as const)
    expect(row(id)).toMatchObject({ level, position, siblings })
})
