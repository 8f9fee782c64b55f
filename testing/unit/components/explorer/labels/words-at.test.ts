import { describe, expect, test } from 'vitest'
import { beginningsPath } from '@/components/explorer/cards/merge-paths'
import { fitView, inMap, wholeBox, wordsAt } from '@/components/explorer/labels/words-at'
import {
  type Box,
  hitSize,
  markAt,
  metricsFor,
  onScreen,
  zoomRangeOf,
} from '@/components/explorer/model/geometry'
import { graphModel, mergeLines } from '@/components/explorer/model/graph-model'
import { stepOf } from '@/components/explorer/model/level'
import { branchTitle, indexGraph, marksFrom, overlap } from '@/lib/graph'
import { cpuTime } from '@/testing/worlds/cpu-time'
import { hardChats, sixChats } from '@/testing/worlds/six-chats'
import { branch } from '@/testing/worlds/sketch-graph'

const sizes = { 'a window': { width: 1440, height: 816 }, 'a phone': { width: 390, height: 700 } }

const chats = { ...sixChats, ...hardChats }

const graphOf = (name: string) => {
  const graph = chats[name]?.()
  if (!graph) throw new Error(`There is no chat ${name}`)
  return graph
}
const modelOf = (name: string) => {
  const graph = graphOf(name)
  const read = graph.branches.at(-1)?.id ?? 'main'
  return graphModel(indexGraph(graph), { branchId: read, folded: new Set() })
}
type Model = ReturnType<typeof modelOf>

const cases = Object.keys(chats).flatMap((name) =>
  Object.entries(sizes).map(([screen, size]) => ({ name, screen, size })),
)

/** How far two boxes are from each other. */
function between(a: Box, b: Box): number {
  const across = Math.max(0, a.x - (b.x + b.width), b.x - (a.x + a.width))
  const down = Math.max(0, a.y - (b.y + b.height), b.y - (a.y + a.height))
  return Math.hypot(across, down)
}

/** All words at a step of the zoom, in px of the screen. */
function wordsOf(model: Model, zoom: number, metrics: ReturnType<typeof metricsFor>) {
  const words = wordsAt(model, zoom, metrics)
  return {
    words,
    all: [
      ...[...words.titles].map(([id, box]) => ({ what: `title of ${id}`, box })),
      ...[...words.chips].map(([id, box]) => ({ what: `labels of ${id}`, box })),
      ...[...words.said].map(([id, { box }]) => ({ what: `words of ${id}`, box })),
      ...[...words.merged].map(([id, box]) => ({ what: `merge into ${id}`, box })),
    ],
  }
}

describe.each(cases)('the map of $name on $screen', ({ name, screen, size }) => {
  const model = modelOf(name)
  const metrics = metricsFor(model.map, size, screen === 'a phone')
  const fitted = fitView(model, metrics, size)
  const zooms = [stepOf(fitted.zoom), 2, 4, 8, 32].filter((zoom) => zoom <= zoomRangeOf(metrics).max)

  test('is in the pane, with its words and its head', () => {
    const { words } = wordsOf(model, stepOf(fitted.zoom), metrics)
    const seen = onScreen(wholeBox(model, words, metrics), fitted)
    expect(seen.x).toBeGreaterThanOrEqual(0)
    expect(seen.y).toBeGreaterThanOrEqual(0)
    expect(seen.x + seen.width).toBeLessThanOrEqual(size.width)
    expect(seen.y + seen.height).toBeLessThanOrEqual(size.height)
    expect(words.chips.has(model.headId ?? '')).toBe(true)
  })

  test.each(zooms)('at %d no words cover others, a line, or a mark', (zoom) => {
    const { all } = wordsOf(model, stepOf(zoom), metrics)
    const sorted = all.sort((a, b) => a.box.y - b.box.y)
    const covered: string[] = []
    for (const [at, { what, box }] of sorted.entries()) {
      for (const other of sorted.slice(at + 1)) {
        if (other.box.y >= box.y + box.height) break
        if (overlap(box, other.box)) covered.push(`${what} on ${other.what}`)
      }
    }
    expect(covered).toEqual([])
    const column = metrics.step * stepOf(zoom)
    const row = metrics.row * stepOf(zoom)
    const crossed = all.filter(({ what, box }) =>
      // where one is has a place even where there is none
      what.includes(`${model.headId}`)
        ? false
        : model.map.lines.some(
            (line) =>
              overlap(box, {
                x: line.from * column,
                y: line.row * row - 1,
                width: (line.to - line.from) * column,
                height: 2,
              }) ||
              (line.stem &&
                overlap(box, {
                  x: line.stem.column * column - 0.5,
                  y: line.stem.row * row,
                  width: 1,
                  height: (line.row - line.stem.row) * row,
                })),
          ),
    )
    expect(crossed.map(({ what }) => what)).toEqual([])
  })

  test.each(zooms)('at %d words stand at what they name, and say enough', (zoom) => {
    const step = stepOf(zoom)
    const { words } = wordsOf(model, step, metrics)
    const markOf = (id: string): Box => {
      const at = model.map.places.get(id)
      const { x, y } = at ? markAt(at, metrics) : { x: Number.NaN, y: 0 }
      const { width, height } = hitSize(metrics, step)
      return { x: x * step - width / 2, y: y * step - height / 2, width, height }
    }
    for (const [id, { text, box, lines }] of words.said) {
      expect(between(box, markOf(id))).toBeLessThanOrEqual(24)
      const letters = text.replace(/…$/, '').length
      expect(!text.endsWith('…') || letters >= 16).toBe(true)
      expect(box.height).toBeGreaterThanOrEqual(12 * lines)
    }
    for (const [id, box] of words.chips) expect(between(box, markOf(id))).toBeLessThanOrEqual(24)
    for (const { id, from, to, text, isHere } of words.allTitles) {
      const box = words.titles.get(id)
      if (!box) continue
      expect(text).toBe(branchTitle(model.index, id))
      const line = {
        x: from.column * metrics.step * step,
        y: to.row * metrics.row * step,
        width: (to.column - from.column) * metrics.step * step,
        height: 0,
      }
      const here = isHere ? words.chips.get(model.headId ?? '') : undefined
      expect(Math.min(between(box, line), here ? between(box, here) : 99)).toBeLessThanOrEqual(24)
    }
  })
})

describe.each(cases)('the head of $name on $screen', ({ name, screen, size }) => {
  const graph = graphOf(name)
  const reads = graph.branches.slice(0, 12).map(({ id }) => id)

  test.each(reads)('has its first words at its mark, when %s is read', (branchId) => {
    const model = graphModel(indexGraph(graph), { branchId, folded: new Set() })
    const metrics = metricsFor(model.map, size, screen === 'a phone')
    const headId = model.headId ?? ''
    for (const zoom of [1, 2, 4, 8, 16, 32, 64]) {
      const step = stepOf(Math.min(zoom, zoomRangeOf(metrics).max))
      if (metrics.step * step < marksFrom) continue
      const { words, all } = wordsOf(model, step, metrics)
      const said = words.said.get(headId)
      // a title at the message says the same
      if (!said) expect(titleStartsAt(model, headId)).toBe(true)
      if (!said) continue
      const covered = all.filter(({ what, box }) => what !== `words of ${headId}` && overlap(box, said.box))
      expect(covered).toEqual([])
    }
  })
})

/** The title of the branch being read stands where its head does. */
const titleStartsAt = (model: Model, id: string): boolean =>
  wordsAt(model, 1, metricsFor(model.map, sizes['a window'], false)).allTitles.some(
    ({ isHere, from }) =>
      isHere &&
      from.column === model.map.places.get(id)?.column &&
      from.row === model.map.places.get(id)?.row,
  )

test('words keep clear of the dashes of a merge, which say what they are, and no title is left out for them', () => {
  const model = modelOf('sample')
  const [merge] = mergeLines(model, model.drawn.items)
  if (!merge) throw new Error('The sample has no merge')
  const metrics = metricsFor(model.map, sizes['a window'], false)
  for (const zoom of [1, 1.5, 2]) {
    const step = stepOf(zoom)
    const { words } = wordsOf(model, step, metrics)
    expect(words.titles.size).toBe(5)
    const said = words.merged.get(merge.id)
    const dashes = {
      x: merge.from.column * metrics.step * step,
      y: merge.to.row * metrics.row * step,
      width: (merge.to.column - merge.from.column) * metrics.step * step,
      height: (merge.from.row - merge.to.row) * metrics.row * step,
    }
    expect(said && between(said, dashes)).toBeLessThanOrEqual(24)
    if (words.near) continue
    const at = { x: merge.to.column * metrics.step * step, y: merge.to.row * metrics.row * step }
    const rise = { ...at, width: 1, height: (merge.from.row - merge.to.row) * metrics.row * step }
    const crossing = [...words.said.values()].filter(({ box }) => overlap(box, rise))
    expect(crossing.map(({ text }) => text)).toEqual([])
  }
})

test('a branch that goes on from the end of another in its line is marked where it begins', () => {
  const graph = graphOf('sample')
  const earlier = branch('earlier', 'gentle8', { parentBranchId: 'main' })
  const model = graphModel(indexGraph({ ...graph, branches: [...graph.branches, earlier] }), {
    branchId: 'main-v2',
    folded: new Set(),
  })
  const metrics = metricsFor(model.map, sizes['a window'], false)
  const { allTitles, titles } = wordsAt(model, 1, metrics)
  const goesOn = allTitles.filter((title) => title.goesOn)
  expect(goesOn.map(({ id, from }) => [id, from])).toEqual([['main-v2', model.map.places.get('gentle9')]])
  expect(titles.has('main-v2')).toBe(true)
  expect(beginningsPath(goesOn, metrics, 1)).toMatch(/^M[\d.]+ [\d.]+V[\d.]+$/)
})

test('eleven branches of a hundred messages have every title in a window', () => {
  const model = modelOf('eleven branches')
  for (const size of Object.values(sizes)) {
    const metrics = metricsFor(model.map, size, false)
    const { zoom } = fitView(model, metrics, size)
    expect(wordsAt(model, stepOf(zoom), metrics).titles.size).toBe(11)
  }
})

test('of three hundred branches the one being read and the heavy ones have titles, and zooming in gives the others theirs', () => {
  const model = modelOf('three hundred branches')
  const size = sizes['a window']
  const metrics = metricsFor(model.map, size, false)
  const far = wordsAt(model, stepOf(fitView(model, metrics, size).zoom), metrics)
  expect(far.titles.size).toBeGreaterThan(10)
  expect([far.titles.has(model.branchId), far.titles.has('main')]).toEqual([true, true])
  const near = wordsAt(model, stepOf(zoomRangeOf(metrics).max), metrics)
  expect(near.near).toBe(true)
  expect(near.titles.size).toBe(300)
  expect(near.said.size).toBe(model.drawn.items.length)
  expect(inMap({ x: 8, y: 8, width: 8, height: 8 }, 2)).toEqual({ x: 4, y: 4, width: 4, height: 4 })
})

test('the words of ten thousand messages find their places in a moment', () => {
  const model = modelOf('three hundred branches')
  const metrics = metricsFor(model.map, sizes['a window'], false)
  const worked = cpuTime()
  wordsAt(model, 1, metrics)
  expect(worked()).toBeLessThan(1000)
})
