import type { Viewport } from '@xyflow/react'
import {
  type Box,
  cellBox,
  drawingBox,
  fitBox,
  type Metrics,
  noOverhang,
  type Overhang,
  openingBounds,
  openingView,
  type Size,
  zoomRange,
} from '../model/geometry'
import type { GraphModel } from '../model/graph-model'
import { type Level, levelAt, stepOf, stepUp } from '../model/level'
import { shapesOf } from './chip-size'
import { labelGroups } from './label-groups'
import { boxWithLabels, type LabelMap, overhangOf, placeLabels } from './place-labels'

interface Known {
  metrics: Metrics
  maps: Map<string, LabelMap>
  measures?: Measures
}

/** What the opening view of a drawing depends on, besides the size of its pane. */
interface Measures {
  drawing: Box
  /** the card of the head being read */
  head: Box
  over: Overhang
  headRoom: number
}

const known = new WeakMap<GraphModel, Known>()

function knownOf(model: GraphModel, metrics: Metrics): Known {
  const found = known.get(model)
  if (found?.metrics === metrics) return found
  const fresh: Known = { metrics, maps: new Map() }
  known.set(model, fresh)
  return fresh
}

/** The labels of a drawing at a step of the zoom; each is laid out once. */
export function labelsAt(model: GraphModel, level: Level, zoom: number, metrics: Metrics): LabelMap {
  const { maps } = knownOf(model, metrics)
  const key = `${level} ${zoom}`
  const found = maps.get(key) ?? placeLabels(model, level, zoom, metrics)
  maps.set(key, found)
  return found
}

/** A step of the zoom holds until just below the next. */
const withinStep = stepUp * 0.9965

/** The steps of the zoom at which a whole drawing opens. */
const openingSteps = [0, 1, 2, 3, 4, 5].map((steps) => stepOf(stepUp ** -steps))
/** A larger pane is not met with. */
const largest = { width: 4000, height: 2400 }

/** The measures of a drawing's opening view, for any size of pane. */
export function openingMeasures(model: GraphModel, metrics: Metrics): Measures {
  const at = knownOf(model, metrics)
  at.measures ??= measure(model, metrics)
  return at.measures
}

function measure(model: GraphModel, metrics: Metrics): Measures {
  const { placement, headId } = model
  const drawing = drawingBox(placement.columns, placement.rows, metrics)
  const headCell = headId === null ? undefined : placement.cells.get(headId)
  const head = headCell ? cellBox(headCell, metrics) : drawing
  const { wholeZoom } = openingBounds
  const canBeWhole = drawing.width * wholeZoom < largest.width && drawing.height * wholeZoom < largest.height
  const maps = canBeWhole ? openingSteps.map((zoom) => labelsAt(model, levelAt(zoom), zoom, metrics)) : []
  const over = maps.length > 0 ? overhangOf(drawing, maps) : noOverhang
  const [row] = shapesOf(
    labelGroups(model).find(({ id }) => id === headId)?.chips ?? [],
    0,
    metrics.labelHeight,
  )
  return { drawing, head, over, headRoom: metrics.gutter + (row?.width ?? 0) }
}

/** The first view of a drawing in a pane. */
export function openingOf(model: GraphModel, metrics: Metrics, size: Size): Viewport {
  const { drawing, head, over, headRoom } = openingMeasures(model, metrics)
  return openingView(drawing, head, size, over, headRoom)
}

/**
 * The view of all of a drawing and its labels, as near as it can be: the labels keep their size, so they take more of
 * the drawing the farther off it is.
 */
export function fitView(model: GraphModel, metrics: Metrics, size: Size): Viewport {
  const { placement } = model
  const drawing = drawingBox(placement.columns, placement.rows, metrics)
  let view = fitBox(drawing, size)
  for (let zoom = stepOf(view.zoom); zoom >= zoomRange.min; zoom = stepOf(zoom * 0.9)) {
    const box = boxWithLabels(drawing, labelsAt(model, levelAt(zoom), zoom, metrics))
    // within a step labels stay where they are in the drawing
    view = fitBox(box, size, noOverhang, Math.min(1, zoom * withinStep))
    if (view.zoom >= zoom) break
  }
  return view
}
