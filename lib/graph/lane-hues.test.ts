import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Graph } from '@/lib/protocol'
import { hardChats, sixChats } from '@/testing/worlds/six-chats'
import { messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'
import { drawnGraph } from './drawn-graph'
import { indexGraph } from './graph-index'
import { hueOf, laneHues } from './lane-hues'
import { placeLines } from './map/place-lines'
import { visibleGraph } from './visible-graph'

/** The lanes of the rows of a map, from top to bottom. */
const rowsOf = (graph: Graph): number[] =>
  placeLines(drawnGraph(visibleGraph(indexGraph(graph), { branchId: 'main', showArchived: true }))).lines.map(
    ({ items }) => items[0]?.lane ?? -1,
  )

/** Pairs of lanes with one hue that stand at most two rows apart, or of which one leaves the other. */
function alike(graph: Graph): string[] {
  const hues = laneHues(graph.lanes)
  const rows = rowsOf(graph)
  const beside = rows.flatMap((lane, at) => rows.slice(at + 1, at + 3).map((other) => [lane, other] as const))
  const meeting = graph.lanes.flatMap(({ lane, parentLane }) =>
    parentLane === null ? [] : [[lane, parentLane] as const],
  )
  return [...beside, ...meeting]
    .filter(([one, other]) => hueOf(hues, one) === hueOf(hues, other))
    .map(([one, other]) => `${one} and ${other}`)
}

describe('lines that stand beside each other or meet', () => {
  test.each(Object.entries({ ...sixChats, ...hardChats }))('differ in %s', (_, make) => {
    expect(alike(make())).toEqual([])
  })

  test('differ in any chat, and none changes when others are added', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 80 }), (picks) => {
        const graph = sketchGraph(...messagesFrom(picks))
        expect(alike(graph)).toEqual([])
        const now = laneHues(graph.lanes)
        for (let count = 1; count < graph.lanes.length; count++) {
          for (const [lane, hue] of laneHues(graph.lanes.slice(0, count))) expect(now.get(lane)).toBe(hue)
        }
      }),
    )
  })
})

test('rows beside each other in the sample look unlike: no two blues, purples or greys', () => {
  const graph = sixChats.sample?.() ?? sketchGraph()
  const hues = laneHues(graph.lanes)
  const rows = rowsOf(graph).map((lane) => hueOf(hues, lane))
  expect(rows.length).toBeGreaterThan(4)
  const pairs = rows.flatMap((hue, at) => rows.slice(at + 1, at + 3).map((other) => [hue, other].sort()))
  expect(pairs.map(String).filter((pair) => ['0,5', '2,4', '3,6'].includes(pair))).toEqual([])
})

test('given fewer branches than hues, then each has its own', () => {
  const graph = sixChats.sample?.() ?? sketchGraph()
  const hues = graph.lanes.map(({ lane }) => hueOf(laneHues(graph.lanes), lane))
  expect(new Set(hues).size).toBe(hues.length)
})

test('a part of a chat keeps the hues that it is given', () => {
  const { lanes } = sketchGraph('a', 'a>b', 'a>c', 'a>d', 'd>e', 'd>f')
  const hues = laneHues(lanes)
  const part = lanes.filter(({ lane }) => lane !== 1).map((lane) => ({ ...lane, hue: hues.get(lane.lane) }))
  for (const [lane, hue] of laneHues(part)) expect(hue).toBe(hues.get(lane))
})

test('ten thousand lanes have their hues in a moment, in the order in which they come or not', () => {
  const lanes = Array.from({ length: 10_000 }, (_, lane) => ({
    lane,
    parentLane: lane === 0 ? null : Math.floor(lane / 2),
    baseDepth: lane % 97,
  }))
  const hues = laneHues(lanes)
  expect([...laneHues(lanes.toReversed())]).toEqual([...hues])
})
