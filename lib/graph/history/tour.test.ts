import { describe, expect, test } from 'vitest'
import type { Movement } from '@/lib/protocol'
import { sketchGraph } from '@/testing/worlds/sketch-graph'
import { indexGraph } from '../graph-index'
import { Timeline } from './timeline'
import { tourOf } from './tour'

// q ─ a ─ q2 ─ a2          main
//      │    └─ a3 ─ q5     retry
//      ├─ q3               edit
//      └─ q4               idea
const drawn = sketchGraph('q', 'q>a', 'a>q2', 'q2>a2', 'q2>a3', 'a>q3', 'a>q4', 'a3>q5')
const graph = {
  ...drawn,
  nodes: drawn.nodes.map((node) => ({ ...node, role: node.id.startsWith('q') ? 'user' : 'assistant' })),
}
const index = indexGraph(graph)

const said = (branchId: string, id: string) => {
  const node = index.byId(id)
  if (!node) throw new Error(`no message ${id}`)
  return { kind: 'message', branchId, place: { lane: node.lane, depth: node.depth } }
}
const opened = (branchId: string) => ({ kind: 'opened', branchId, name: branchId, from: null, place: null })
const timelineOf = (...told: object[]) =>
  new Timeline(index, told.map((movement, at) => ({ ...movement, seq: at + 1, at })) as Movement[])

const main = [opened('main'), said('main', 'q'), said('main', 'a'), said('main', 'q2'), said('main', 'a2')]
const retry = [opened('retry'), said('retry', 'a3'), said('retry', 'q5')]
const edit = [opened('edit'), said('edit', 'q3')]
const idea = [opened('idea'), said('idea', 'q4')]
const home = { kind: 'switched', branchId: 'retry' }

/** The stops of a tour in lines: the messages there are under each caption, and the branch that is read. */
const told = (timeline: Timeline) =>
  tourOf(timeline).map(({ caption, frames }) => {
    const shown = frames.map(
      ({ position, branchId }) => `${timeline.graphAt(position).nodes.length}${branchId}`,
    )
    return `${caption.split(' ').slice(0, 4).join(' ')}: ${shown.join(' ')}`
  })

describe('the tour through a chat', () => {
  test('given a chat with branches, then it grows by a message at a time, in the order of its history', () => {
    expect(told(timelineOf(...main, ...retry, ...edit, ...idea, home))).toEqual([
      'A chat begins as: 1main 2main 3main 4main',
      'That answer was no: 5retry 6retry',
      'A question can be: 7edit',
      'Or try another idea: 8idea',
      'Nothing is ever lost.: 8edit 8idea 8retry',
    ])
  })

  test('given several answers at once, then they are told as that, and not as one more try', () => {
    const more = [opened('one'), said('one', 'a2'), opened('other'), said('other', 'a3')]
    const asked = main.slice(0, 4)
    expect(told(timelineOf(...asked, ...more))).toEqual([
      'A chat begins as: 1main 2main 3main',
      'Several answers to one: 4one 5other',
    ])
  })

  test('given the same way taken again, then the caption that tells it stays', () => {
    const again = [opened('again'), said('again', 'a3'), said('again', 'q5')]
    const first = [opened('first'), said('first', 'a2'), said('first', 'q4')]
    const stops = tourOf(timelineOf(...main.slice(0, 4), ...first, ...again))
    expect(stops.map(({ frames }) => frames.length)).toEqual([3, 4])
  })

  test.each([
    ['short', [...main, home]],
    ['long', [...main, ...retry, ...edit, ...idea, home]],
  ])('given a %s chat, then it takes a minute, and a caption has time to be read', (_, movements) => {
    const stops = tourOf(timelineOf(...movements))
    const lengths = stops.flatMap(({ frames }) => frames.map(({ ms }) => ms))
    expect(Math.round(lengths.reduce((sum, ms) => sum + ms, 0) / 1000)).toBe(60)
    for (const { frames } of stops) expect(frames[0]?.ms).toBeGreaterThanOrEqual(frames.at(-1)?.ms ?? 0)
  })

  test('given a chat without a message, then there is nothing to show', () => {
    expect(tourOf(timelineOf(opened('main')))).toEqual([])
  })
})
