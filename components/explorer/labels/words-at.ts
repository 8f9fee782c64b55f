import type { Viewport } from '@xyflow/react'
import { type DrawnItem, type ItemId, type PlacedWords, placeWords } from '@/lib/graph'
import {
  around,
  type Box,
  drawingBox,
  fitBox,
  type Metrics,
  onScreen,
  type Size,
  zoomFor,
  zoomRangeOf,
} from '../model/geometry'
import { type GraphModel, isLit, type MergeLine, mergeLines } from '../model/graph-model'
import { scaleOf, stepOf } from '../model/level'
import { foldWords, previewOf } from '../model/words'
import { type LabelGroup, type LineTitle, labelsOf } from './label-groups'

/** The words of a map at a step of the zoom, where they stand. */
export interface WordMap extends PlacedWords {
  zoom: number
  allTitles: readonly LineTitle[]
  allGroups: readonly LabelGroup[]
}

interface Known {
  metrics: Metrics
  labels: ReturnType<typeof labelsOf>
  merges: readonly MergeLine[]
  maps: Map<number, WordMap>
}

const known = new WeakMap<GraphModel, Known>()

/** The words of a map at a step of the zoom; placed when they are first asked for. */
export function wordsAt(model: GraphModel, zoom: number, metrics: Metrics): WordMap {
  let at = known.get(model)
  if (!at || at.metrics !== metrics) {
    at = {
      metrics,
      labels: at?.labels ?? labelsOf(model),
      merges: at?.merges ?? mergeLines(model, model.drawn.items),
      maps: new Map(),
    }
    known.set(model, at)
  }
  const before = at.maps.get(zoom)
  if (before) return before
  const { titles, groups } = at.labels
  const lit = (item: DrawnItem) => isLit(model, item)
  const words = {
    titles,
    chips: groups,
    head: (model.headId !== null && model.drawn.byId.get(model.headId)) || null,
    merges: at.merges,
    lit,
    said: saidIn,
  }
  const placed = placeWords(model.map, words, scaleOf(zoom, metrics))
  const map = { ...placed, zoom, allTitles: titles, allGroups: groups }
  at.maps.set(zoom, map)
  return map
}

const previews = new WeakMap<object, string>()

/** The words of an item, on one line. */
function saidIn(item: DrawnItem): string {
  if (item.kind === 'fold') return foldWords(item.nodes)
  const before = previews.get(item.node)
  if (before !== undefined) return before
  const said = previewOf(item.node).replace(/\s+/g, ' ').trim()
  previews.set(item.node, said)
  return said
}

/** A box of the words, in pixels of the map. */
export const inMap = (box: Box, zoom: number): Box => onScreen(box, { x: 0, y: 0, zoom: 1 / zoom })

/** The box of a message's labels, in pixels of the map. */
export function labelBox({ chips, zoom }: WordMap, id: ItemId): Box | undefined {
  const box = chips.get(id)
  return box && inMap(box, zoom)
}

/** All of a map with its words, in pixels of the map. */
export function wholeBox(model: GraphModel, words: WordMap, metrics: Metrics): Box {
  const said = [...words.said.values()].map(({ box }) => box)
  const boxes = [...words.titles.values(), ...words.chips.values(), ...words.merged.values(), ...said]
  return boxes.reduce((whole, box) => around(whole, inMap(box, words.zoom)), drawingBox(model.map, metrics))
}

/** Within a step of the zoom words grow with it: a view keeps clear of its end. */
const withinStep = 2 ** 0.25 * 0.9965

/** The view of all of a map with its words, as near as it can be. */
export function fitView(model: GraphModel, metrics: Metrics, size: Size): Viewport {
  const { min } = zoomRangeOf(metrics)
  for (let step = stepOf(1); ; step = stepOf(step / withinStep)) {
    const box = wholeBox(model, wordsAt(model, step, metrics), metrics)
    const zoom = Math.min(zoomFor(box, size), step * withinStep)
    if (zoom >= step || step <= min) return fitBox(box, size, Math.max(zoom, min))
  }
}
