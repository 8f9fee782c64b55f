import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Graph, GraphBranch } from '@/lib/protocol'
import { cpuTime } from '@/testing/worlds/cpu-time'
import { sixChats } from '@/testing/worlds/six-chats'
import { branch, messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'
import { type DrawnGraph, drawnGraph } from '../drawn-graph'
import { longStretches } from '../fold-stretches'
import { indexGraph } from '../graph-index'
import { type MapPlaces, placeLines } from '../map/place-lines'
import { visibleGraph } from '../visible-graph'
import { WholeDrawing } from './whole-drawing'

const everything = (graph: Graph) => visibleGraph(indexGraph(graph), { branchId: 'main', showArchived: true })
const asItIs = { branchId: 'main', selectedId: null }

const placesIn = ({ lines, places }: MapPlaces) =>
  new Map(lines.flatMap(({ items }) => items.map(({ id }) => [id, places.get(id)])))

const branches = (...all: GraphBranch[]) => ({ branches: all })

describe('a part of a drawing', () => {
  // a ─ b ─ c
  //     ├── d ─ e    archived
  //     ╰── f
  const graph = { ...sketchGraph('a', 'a>b', 'b>c', 'b>d', 'd>e', 'b>f'), ...branches(branch('main', 'f')) }
  const whole = new WholeDrawing(everything(graph), new Set())
  const partOf = (...shown: GraphBranch[]) =>
    whole.at(indexGraph({ ...graph, ...branches(...shown) }), asItIs)

  test('given a line that is archived, then its row stays free', () => {
    const { map, visible } = partOf(branch('main', 'f'), branch('old', 'e', { archivedAt: 1 }))
    expect(placesIn(map).get('f')).toEqual({ column: 2, row: 2 })
    expect(map.rows).toBe(3)
    expect([visible.byId.has('e'), visible.byId.get('f')?.versions]).toEqual([false, 2])
  })

  test('given that the first line is archived, then what forks from it stays in its row', () => {
    const old = branch('old', 'c', { archivedAt: 1 })
    const { lines } = partOf(branch('main', 'f'), old, branch('d', 'e')).map
    expect(lines.map(({ row, stem }) => [row, stem?.column])).toEqual([
      [0, undefined],
      [1, 1],
      [2, 1],
    ])
  })

  test('given a branch that goes back into a fold, then the fold is cut where it stands', () => {
    const line = sketchGraph('r', 'r>1', '1>2', '2>3', '3>4', '4>5', '5>6')
    const folded = new Set(['1', '2', '3', '4'])
    const cut = (headId: string) => {
      const then = { ...line, ...branches(branch('main', headId)) }
      return new WholeDrawing(everything(line), folded).at(indexGraph(then), asItIs)
    }
    expect([...placesIn(cut('6').map).keys()]).toEqual(['r', 'fold 1', '5', '6'])
    const { drawn, map } = cut('2')
    expect([...placesIn(map)].map(([id, place]) => `${id} ${place?.column}`)).toEqual([
      ...['r 0', '1 1', '2 2', 'fold 3 3', '5 5', '6 6'],
    ])
    expect(drawn.itemOf('4')?.id).toBe('fold 3')
    expect(drawn.byId.has('fold 1')).toBe(false)
    expect(drawn.byId.get('5')).toMatchObject({ parentId: 'fold 3', row: 4 })
  })
})

/** The items of a drawing as they are told apart, without the order of their fields. */
const told = ({ items, rootIds }: DrawnGraph) => ({ items, rootIds })

test('given any chat, when it is drawn as it was, then it has what a drawing of that time has, and every message stands where it does now', () => {
  const anyChat = fc.record({
    picks: fc.array(fc.nat(), { minLength: 1, maxLength: 60 }),
    heads: fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 1, maxLength: 6 }),
    cut: fc.nat(),
    folds: fc.boolean(),
  })
  fc.assert(
    fc.property(anyChat, ({ picks, heads, cut, folds }) => {
      // lines are longer than forks are many
      const messages = messagesFrom(picks.map((pick, at) => (pick % 3 === 0 ? pick : Math.max(0, at - 1))))
      const now = sketchGraph(...messages)
      const count = 1 + (cut % messages.length)
      const nodes = now.nodes.slice(0, count)
      const then = {
        ...now,
        nodes,
        lanes: now.lanes.filter(({ lane }) => nodes.some((node) => node.lane === lane)),
        branches: heads.map(([head, isArchived], at) =>
          branch(at === 0 ? 'main' : `b${at}`, nodes[head % count]?.id ?? null, {
            archivedAt: isArchived && at > 0 ? 1 : null,
          }),
        ),
      }
      const all = everything(now)
      const folded = folds ? longStretches(all) : new Set<string>()
      const whole = new WholeDrawing(all, folded)
      const part = whole.at(indexGraph(then), asItIs)
      const anew = visibleGraph(indexGraph(then), { branchId: 'main' })
      expect(part.visible.nodes).toEqual(anew.nodes)
      expect([...part.visible.labels]).toEqual([...anew.labels])
      const drawn = drawnGraph(anew, part.folded)
      expect(told(part.drawn)).toEqual(told(drawn))
      for (const { node } of anew.nodes) {
        expect(part.visible.byId.get(node.id)).toEqual(anew.byId.get(node.id))
        expect(part.drawn.itemOf(node.id)).toEqual(drawn.itemOf(node.id))
      }
      const places = placesIn(part.map)
      expect([...places.keys()].sort()).toEqual(drawn.items.map(({ id }) => id).sort())
      if (folds) return
      const placed = placeLines(drawnGraph(all)).places
      for (const [id, place] of places) expect(place).toEqual(placed.get(id))
    }),
  )
})

test('a step through ten thousand messages is laid out in a moment, and shares all lines but those that change', () => {
  const graph = sixChats['three hundred branches']?.() ?? sketchGraph()
  const whole = new WholeDrawing(everything(graph), new Set())
  const at = (count: number) => whole.at(indexGraph({ ...graph, nodes: graph.nodes.slice(0, count) }), asItIs)
  const before = at(graph.nodes.length - 11).map.lines
  const worked = cpuTime()
  for (let step = 10; step > 0; step--) at(graph.nodes.length - step)
  expect(worked()).toBeLessThan(1000)
  const after = at(graph.nodes.length - 10).map.lines
  expect(after.filter((line) => !before.includes(line)).length).toBeLessThanOrEqual(3)
})
