import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitView } from '@/components/explorer/labels/opening'
import { boxWithLabels, isTight, type LabelMap, placeLabels } from '@/components/explorer/labels/place-labels'
import {
  type Box,
  cellBox,
  coarsePointer,
  drawingBox,
  finePointer,
  type Metrics,
  markAt,
  onScreen,
  overlap,
} from '@/components/explorer/model/geometry'
import { type GraphModel, graphModel } from '@/components/explorer/model/graph-model'
import { levelAt, markSize, stepOf } from '@/components/explorer/model/level'
import { indexGraph } from '@/lib/graph'
import { cpuTime } from '@/testing/worlds/cpu-time'
import { branch, messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'

const names = ['main', 'main-v2', 'one of us is vegetarian', 'beta’s answer', 'a']
const zooms = Array.from({ length: 22 }, (_, at) => stepOf(2 ** (0.5 - at / 4)))

/** A chat whose branches end, and whose checkpoints stand, where the picks say. */
function modelOf(picks: readonly number[], heads: readonly number[], flags: readonly number[]): GraphModel {
  const messages = messagesFrom(picks)
  const at = (pick: number) => `m${pick % messages.length}`
  const graph = {
    ...sketchGraph(...messages),
    branches: heads.map((head, n) => branch(`${names[n % names.length]} ${n}`, at(head))),
    checkpoints: flags.map((flag, n) => ({
      ...{ id: `k${n}`, name: `day ${n} settled`, messageId: at(flag), createdAt: n },
    })),
  }
  return graphModel(indexGraph(graph), { branchId: graph.branches[0]?.id ?? '' })
}

const anyModel = fc
  .tuple(
    fc.array(fc.nat(), { minLength: 1, maxLength: 50 }),
    fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
    fc.array(fc.nat(), { maxLength: 5 }),
  )
  .map(([picks, heads, flags]) => modelOf(picks, heads, flags))

/** What may not be covered at a zoom: cards near by, marks where they are too small for text. */
function bodies({ drawn, placement }: GraphModel, { level, zoom }: LabelMap, metrics: Metrics) {
  return drawn.items.flatMap(({ id }) => {
    const cell = placement.cells.get(id)
    if (!cell) return []
    const card = onScreen(cellBox(cell, metrics), { x: 0, y: 0, zoom })
    const width = isTight(level, zoom, metrics) ? metrics.gutter * zoom : card.width
    if (level !== 'far') return [{ id, box: { ...card, width } }]
    const { x, y } = markAt(cell, metrics)
    const size = markSize(zoom)
    return [{ id, box: { x: x * zoom - size / 2, y: y * zoom - size / 2, width: size, height: size } }]
  })
}

const labelsOf = (map: LabelMap) => [...map.placed.values()]

describe.each([
  ['a mouse', finePointer],
  ['a thumb', coarsePointer],
])('the labels of any chat, for %s', (_, metrics) => {
  /** Looks at the labels of any chat at every zoom. */
  const atEveryZoom = (numRuns: number, check: (map: LabelMap, model: GraphModel) => void) =>
    fc.assert(
      fc.property(anyModel, (model) => {
        for (const zoom of zooms) check(placeLabels(model, levelAt(zoom), zoom, metrics), model)
      }),
      { numRuns },
    )

  test('lie on no other label, on no card and on no mark, at any zoom', () => {
    atEveryZoom(40, (map, model) => {
      const labels = labelsOf(map)
      for (const [at, { box, group, instead }] of labels.entries()) {
        for (const other of labels.slice(at + 1)) expect(overlap(box, other.box)).toBe(false)
        for (const body of bodies(model, map, metrics)) {
          // the text of its own message is not shown then
          if (instead && body.id === group.id) continue
          expect(overlap(box, body.box)).toBe(false)
        }
      }
    })
  })

  test('lie on no text', () => {
    atEveryZoom(20, (map, model) => {
      if (map.level !== 'mid') return
      for (const item of model.drawn.items) {
        const cell = model.placement.cells.get(item.id)
        const room = map.textRoom(item) * map.zoom
        if (!cell || room <= 0 || map.placed.get(item.id)?.instead) continue
        const { x, y, height } = onScreen(cellBox(cell, metrics), { x: 0, y: 0, zoom: map.zoom })
        const line = { x: x + metrics.gutter * map.zoom, y: y + height / 2 - 7, width: room, height: 14 }
        for (const { box } of labelsOf(map)) expect(overlap(box, line)).toBe(false)
      }
    })
  })

  test('name every branch and every checkpoint, or count it', () => {
    atEveryZoom(20, (map, model) => {
      const groups = labelsOf(map).map(({ group }) => group)
      const branches = groups.flatMap(({ branches, more }) => [
        ...branches.map(({ branch }) => branch.id),
        ...more.branches.map(({ branch }) => branch.id),
      ])
      expect(branches.sort()).toEqual(model.index.graph.branches.map(({ id }) => id).sort())
      const flags = groups.flatMap(({ flags, more }) => [...flags, ...more.flags])
      expect(flags).toHaveLength(model.index.graph.checkpoints.length)
    })
  })

  test('are all in the pane after Fit, unless they need more than all of it', () => {
    const pane = { width: 1160, height: 820 }
    fc.assert(
      fc.property(anyModel, (model) => {
        const { columns, rows } = model.placement
        const view = fitView(model, metrics, pane)
        const zoom = stepOf(view.zoom)
        const map = placeLabels(model, levelAt(zoom), zoom, metrics)
        const seen = onScreen(boxWithLabels(drawingBox(columns, rows, metrics), map), view)
        expect(within(seen, { x: 0, y: 0, ...pane })).toBe(true)
      }),
      { numRuns: 40 },
    )
  })
})

const within = (box: Box, pane: Box): boolean =>
  box.x >= pane.x - 0.01 &&
  box.y >= pane.y - 0.01 &&
  box.x + box.width <= pane.x + pane.width + 0.01 &&
  box.y + box.height <= pane.y + pane.height + 0.01

describe('a label', () => {
  // m0 ─ m1 ─ m2    main 0
  //       └─ m3     main-v2 1
  const model = modelOf([0, 0, 1, 1], [2, 3], [])

  test('given the end of a branch, then it stands below its card, in its column', () => {
    const map = placeLabels(model, 'near', 1, finePointer)
    const card = cellBox(model.placement.cells.get('m3') ?? { column: 9, row: 9 }, finePointer)
    const placed = map.placed.get('m3')
    expect(placed?.leader).toBeNull()
    expect(placed?.box.x).toBe(card.x + finePointer.gutter)
    expect(placed?.box.y).toBe(card.y + card.height + 3)
  })

  test('given no room beside its message, then a line leads to it', () => {
    const star = modelOf([0, ...Array.from({ length: 12 }, (_, at) => (at + 2) * 40)], [0], [0])
    const crowded = modelOf(
      Array.from({ length: 30 }, (_, at) => (at < 2 ? 0 : at % 2)),
      Array.from({ length: 12 }, (_, at) => at * 2),
      [],
    )
    const [few, led] = [star, crowded].map((each) =>
      labelsOf(placeLabels(each, 'far', stepOf(0.1), finePointer)).filter(({ leader }) => leader),
    )
    expect(led).not.toEqual([])
    for (const { leader, box } of [...(few ?? []), ...(led ?? [])]) {
      expect(leader?.[1].x).toBeGreaterThanOrEqual(box.x)
      expect(leader?.[1].x).toBeLessThanOrEqual(box.x + box.width)
    }
  })

  test('given free columns beside a message, then its text goes on over them, but never under a label', () => {
    const map = placeLabels(model, 'mid', stepOf(0.6), finePointer)
    const roomOf = (id: string) => {
      const item = model.drawn.byId.get(id)
      if (!item) throw new Error(`The sketch has no message ${id}`)
      return map.textRoom(item)
    }
    expect(roomOf('m0')).toBeGreaterThan((finePointer.cardWidth - finePointer.gutter) * 1.5)
    expect(roomOf('m2')).toBeLessThan(finePointer.columnStep)
  })
})

test('the labels of a thousand messages on three hundred branches are placed in a moment', () => {
  const picks = Array.from({ length: 1000 }, (_, at) =>
    at % 10 === 0 ? Math.floor(at / 2) : Math.max(0, at - 1),
  )
  const heads = Array.from({ length: 300 }, (_, at) => at * 3)
  const model = modelOf(picks, heads, [])
  for (const zoom of [1, 0.5, 0.1, 0.02].map(stepOf)) {
    const worked = cpuTime()
    expect(placeLabels(model, levelAt(zoom), zoom, finePointer).placed.size).toBeGreaterThan(250)
    expect(worked()).toBeLessThan(1_000)
  }
})
