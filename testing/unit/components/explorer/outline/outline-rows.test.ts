import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { graphModel } from '@/components/explorer/model/graph-model'
import {
  drawnGraph,
  foldId,
  indexGraph,
  keysTo,
  lineHeirs,
  type OutlineRow,
  outlineRows,
  outlineTree,
  visibleGraph,
} from '@/lib/graph'
import type { Graph, GraphBranch } from '@/lib/protocol'
import { branch, messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'

/** A chat as the sample is: porto forks at b, main ends at f, gentle goes on from c, green forks from its reply g. */
const lisbon: Graph = {
  ...sketchGraph(
    'a',
    'a>b',
    'b>c',
    'c>d',
    'd>e',
    'e>f',
    'c>g',
    'g>h',
    'h>i',
    'i>j',
    'g>k',
    'k>l',
    'b>p',
    'p>q',
  ),
  branches: [branch('main', 'f'), branch('gentle', 'j'), branch('green', 'l'), branch('porto', 'q')],
}

interface Given {
  branchId?: string
  opened?: readonly string[]
  folded?: ReadonlySet<string>
}

function treeOf(graph: Graph, { branchId = 'main', folded }: Given) {
  const model = graphModel(indexGraph(graph), { branchId, ...(folded && { folded }) })
  const visible = visibleGraph(model.index, { branchId, showArchived: true })
  return { model, visible, tree: outlineTree(drawnGraph(visible, folded), lineHeirs(model.index)) }
}

function rowsOf(graph: Graph, given: Given = {}): OutlineRow[] {
  const { model, visible, tree } = treeOf(graph, given)
  return outlineRows(tree, visible, { ...model, opened: new Set(given.opened) })
}

/** Rows as a person sees them: moved in, branches in brackets with their count. */
const drawn = (rows: readonly OutlineRow[]): string[] =>
  rows.map((row) => ' '.repeat(row.column) + words(row))

function words(row: OutlineRow): string {
  if (row.kind === 'message') return [row.id, ...row.branches.map(({ name }) => `<${name}>`)].join(' ')
  if (row.kind === 'fold') return `(${row.item.nodes.length})`
  if (row.kind === 'more') return `${row.isOpen ? '-' : '+'}${row.count} more`
  return `${row.isOpen ? '-' : '+'}[${row.branch?.name ?? ''} ${row.count}]`
}

describe('the rows', () => {
  test('are the chain being read, and every other branch as one row at its fork', () => {
    expect(drawn(rowsOf(lisbon, { branchId: 'gentle' }))).toEqual([
      'a',
      'b',
      ' +[porto 2]',
      'c',
      ' +[main 3]',
      'g',
      ' +[green 2]',
      'h',
      'i',
      'j <gentle>',
    ])
  })

  test('of a branch that leaves its line are moved in, and what goes on without it is one row after them', () => {
    expect(drawn(rowsOf(lisbon, { branchId: 'main' }))).toEqual([
      'a',
      'b',
      ' +[porto 2]',
      'c',
      ' d',
      ' e',
      ' f <main>',
      ' +[gentle 4]',
      '  +[green 2]',
    ])
  })

  test('say what a closed branch begins and ends with', () => {
    const porto = rowsOf(lisbon, { branchId: 'gentle' }).find((row) => row.id === 'branch porto')
    expect(porto).toMatchObject({ first: { id: 'p' }, last: { id: 'q' }, opens: ['p'], isOpen: false })
  })

  test('of a branch that is opened stand below its row', () => {
    expect(drawn(rowsOf(lisbon, { branchId: 'gentle', opened: ['p'] })).slice(1, 6)).toEqual([
      'b',
      ' -[porto 2]',
      ' p',
      ' q',
      'c',
    ])
  })

  test('go no further than the head: what others wrote below it is closed', () => {
    const graph = {
      ...lisbon,
      branches: [...lisbon.branches, branch('new', 'b', { parentBranchId: 'main' })],
    }
    expect(drawn(rowsOf(graph, { branchId: 'new' }))).toEqual([
      'a',
      'b <new>',
      ' +[porto 2]',
      ' +[gentle 5]',
      '  +[main 3]',
      '  +[green 2]',
    ])
  })

  test('list branches without messages of their own: at their message, or at the top', () => {
    const graph = {
      ...lisbon,
      branches: [...lisbon.branches, branch('waits', 'b', { parentBranchId: 'main' }), branch('empty', null)],
    }
    expect(drawn(rowsOf(graph, { branchId: 'gentle' })).slice(0, 3)).toEqual(['+[empty 0]', 'a', 'b <waits>'])
  })

  test('show an archived branch, and a line that no branch leads to', () => {
    const archived = lisbon.branches.map((each) => (each.id === 'porto' ? { ...each, archivedAt: 9 } : each))
    const branches: GraphBranch[] = archived.filter(({ id }) => id !== 'green')
    const rows = rowsOf({ ...lisbon, branches }, { branchId: 'gentle' })
    expect(drawn(rows).filter((row) => row.startsWith(' +'))).toEqual([' +[porto 2]', ' +[main 3]', ' +[ 2]'])
  })

  test('of a chat with two beginnings are two lines', () => {
    const graph = {
      ...sketchGraph('a', 'a>b', 'b>c', 'x', 'x>y'),
      branches: [branch('main', 'c'), branch('again', 'y')],
    }
    expect(drawn(rowsOf(graph, { branchId: 'again' }))).toEqual(['x', 'y <again>', '+[main 3]'])
    expect(drawn(rowsOf(graph, { branchId: 'main' }))).toEqual(['+[again 2]', 'a', 'b', 'c <main>'])
  })

  test('fold a stretch', () => {
    const graph = { ...sketchGraph('a', 'a>b', 'b>c', 'c>d', 'd>e'), branches: [branch('main', 'e')] }
    const rows = rowsOf(graph, { folded: new Set(['b', 'c']) })
    expect(drawn(rows)).toEqual(['a', '(2)', 'd', 'e <main>'])
    expect(rows[1]?.id).toBe(foldId('b'))
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
  const messages = (rows: readonly OutlineRow[]) =>
    rows.flatMap((row) =>
      row.kind === 'message' ? row.id : row.kind === 'branch' ? (row.first?.id ?? []) : [],
    )

  test('is the same whatever is read and opened', () => {
    fc.assert(
      fc.property(graphs, fc.nat(), fc.nat(), fc.array(fc.nat()), (graph, one, other, opens) => {
        const { branches, nodes } = graph
        const pick = (at: number) => branches[at % branches.length]?.id ?? ''
        const opened = opens.map((at) => nodes[at % nodes.length]?.id ?? '')
        const everything = messages(
          rowsOf(graph, {
            branchId: pick(other),
            opened: [...nodes.map(({ id }) => id), ...nodes.map(({ id }) => `more ${id}`), 'more '],
          }),
        )
        const some = messages(rowsOf(graph, { branchId: pick(one), opened }))
        const places = some.map((id) => everything.indexOf(id))
        expect(places).toEqual(places.toSorted((a, b) => a - b))
      }),
    )
  })

  test('has every message of the chain being read once, and every other branch once', () => {
    fc.assert(
      fc.property(graphs, fc.nat(), (graph, at) => {
        const here = graph.branches[at % graph.branches.length]
        const rows = rowsOf(graph, {
          branchId: here?.id ?? '',
          opened: graph.nodes.map(({ id }) => `more ${id}`).concat('more '),
        })
        const read = rows.filter(({ kind }) => kind === 'message').map(({ id }) => id)
        expect(read).toEqual(
          indexGraph(graph)
            .chainTo(here?.headId ?? '')
            .map(({ id }) => id),
        )
        const closed = rows.flatMap((row) => (row.kind === 'branch' ? (row.branch?.id ?? []) : []))
        expect(closed.toSorted()).toEqual(
          graph.branches
            .map(({ id }) => id)
            .filter((id) => id !== here?.id)
            .toSorted(),
        )
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
    const heirs = lineHeirs(indexGraph(lisbon))
    const then = {
      ...sketchGraph('a', 'a>b', 'b>c', 'c>d', 'd>e', 'e>f', 'c>g', 'g>h'),
      branches: [branch('main', 'f'), branch('gentle', 'h')],
    }
    const model = graphModel(indexGraph(then), { branchId: 'main' })
    const rows = outlineRows(outlineTree(model.drawn, heirs), model.visible, { ...model, opened: new Set() })
    expect(drawn(rows)).toEqual(['a', 'b', 'c', ' d', ' e', ' f <main>', ' +[gentle 2]'])
  })
})

describe('the way to a message', () => {
  test('is nothing on the chain being read, and every closed branch around it elsewhere', () => {
    const { model, tree } = treeOf(lisbon, { branchId: 'main' })
    expect(keysTo(tree, 'e', model.lit)).toEqual([])
    expect(keysTo(tree, 'h', model.lit)).toEqual(['g'])
    expect(keysTo(tree, 'l', model.lit)).toEqual(['g', 'k'])
  })
})

describe('the place in the tree', () => {
  test('is said by level and position', () => {
    const rows = rowsOf(lisbon, { branchId: 'gentle', opened: ['p'] })
    const said = Object.fromEntries(
      rows.map(({ id, level, position, siblings }) => [id, [level, position, siblings]]),
    )
    expect(said).toMatchObject({
      a: [1, 1, 7],
      'branch porto': [2, 1, 1],
      p: [3, 1, 2],
      q: [3, 2, 2],
      j: [1, 7, 7],
    })
  })
})
