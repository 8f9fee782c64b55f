import type { DrawnItem, ItemId } from '@/lib/graph'
import {
  around,
  type Box,
  cellBox,
  drawingBox,
  type Metrics,
  markAt,
  type Overhang,
  onScreen,
  openingBounds,
  type Point,
  type Size,
} from '../model/geometry'
import type { GraphModel } from '../model/graph-model'
import { type Level, lineHeight, linesAt, markSize, stepUp, textPad } from '../model/level'
import { type Shape, shapesOf } from './chip-size'
import { emptyGroupId, type LabelGroup, labelGroups } from './label-groups'
import { TakenRoom } from './taken-room'

/** Where the labels of a message stand, in px of the screen from the drawing's corner. */
export interface PlacedGroup {
  group: LabelGroup
  box: Box
  shape: Shape
  /** they stand in place of the message's text */
  instead: boolean
  /** from the message's mark to labels that stand away from it */
  leader: readonly [Point, Point] | null
}

/** The labels of a drawing at a step of the zoom, and the room the texts beside them have. */
export interface LabelMap {
  level: Level
  zoom: number
  placed: ReadonlyMap<ItemId, PlacedGroup>
  /** How much of an item's row is free for its text, in the drawing's pixels. */
  textRoom(item: DrawnItem): number
  /** The labels of a message, in the drawing's pixels. */
  boxOf(id: ItemId): Box | undefined
}

/** Between a label and what it belongs to, and between two labels. */
const gap = 3
/** Labels stand this far from their message, where they can. */
const reach = 220
/** Between the drawing and labels to the right of it. */
const railGap = 12
/** A line of text is no longer than this, and in a drawing of small columns no shorter than this. */
const longestText = 440
const shortestText = 72

/** The columns are too small for text: it is shown only where there is room beside it, and labels come first. */
export const isTight = (level: Level, zoom: number, { cardWidth, gutter }: Metrics): boolean =>
  level === 'mid' && (cardWidth - gutter) * zoom < shortestText

interface Place {
  box: Box
  shape: Shape
  instead?: boolean
  away?: boolean
}

/**
 * Finds a place for the labels of every message: no label lies on another, on a card, or on a mark, at any zoom. They
 * stand below the end of a branch or beside their message; where that is taken, in the nearest free place, and a line
 * leads there; at worst to the right of the drawing, where there is always room.
 */
export function placeLabels(model: GraphModel, level: Level, zoom: number, metrics: Metrics): LabelMap {
  const { drawn, placement } = model
  const taken = new TakenRoom()
  const tight = isTight(level, zoom, metrics)
  const text = { height: linesAt(level, zoom, metrics) * lineHeight + textPad }
  const bodies = new Map<ItemId, Box>()
  for (const item of drawn.items) {
    const cell = placement.cells.get(item.id)
    if (!cell) continue
    const card = onScreen(cellBox(cell, metrics), at(zoom))
    const body = tight
      ? { ...card, width: metrics.gutter * zoom }
      : bodyOf(card, level, zoom, metrics, text.height)
    bodies.set(item.id, body)
    taken.take(item.id, body)
  }
  const right = drawingBox(placement.columns, placement.rows, metrics).width * zoom + railGap
  const column = (metrics.columnStep - metrics.gutter) * zoom - gap
  const placed = new Map<ItemId, PlacedGroup>()
  const bare = tight || level === 'far'
  const groups = labelGroups(model)
  const steps = groups.length > veryMany ? coarseSteps : fineSteps
  for (const group of groups) {
    const mark = onMark(markAt(group.cell, metrics), zoom)
    const body = bodies.get(group.id) ?? { ...mark, width: 0, height: 0 }
    const shapes = shapesOf(group.chips, column, metrics.labelHeight)
    const where = { mark, body, indent: bare ? 0 : metrics.gutter * zoom, rail: right, steps }
    const place = placeOf(group, shapes, where, bare ? 'far' : level, taken)
    taken.take(labelId(group.id), grown(place.box, gap / 2))
    const leader = place.away ? ([mark, nearest(place.box, mark)] as const) : null
    placed.set(group.id, {
      group,
      box: place.box,
      shape: place.shape,
      instead: place.instead ?? false,
      leader,
    })
  }
  return {
    ...{ level, zoom, placed },
    textRoom(item) {
      const body = bodies.get(item.id)
      if (!body || level !== 'mid') return metrics.cardWidth - metrics.gutter
      const indent = metrics.gutter * zoom
      // text goes on over free columns, and ends with the drawing; that of a single column takes what it needs
      const from = body.x + indent
      const furthest = Math.min(from + longestText, Math.max(right - railGap, openingBounds.textWidth))
      const x = body.x + body.width
      const middle = body.y + body.height / 2
      const row = { x, y: middle - text.height / 2, width: furthest - x, height: text.height }
      const end = row.width > 0 ? Math.max(x, taken.freeUntil(row, item.id) - 10) : x
      return tight && end - from < shortestText ? 0 : (end - from) / zoom
    },
    boxOf(id) {
      const found = placed.get(id)
      return found && onScreen(found.box, at(1 / zoom))
    },
  }
}

const at = (zoom: number) => ({ x: 0, y: 0, zoom })
const onMark = ({ x, y }: Point, zoom: number): Point => ({ x: x * zoom, y: y * zoom })
const labelId = (id: ItemId): string => `label ${id}`

/** What of an item on the screen may not be covered. */
function bodyOf(card: Box, level: Level, zoom: number, metrics: Metrics, textHeight: number): Box {
  const middle = card.y + card.height / 2
  if (level === 'far') {
    const size = markSize(zoom) + 4
    return { x: card.x + metrics.markX * zoom - size / 2, y: middle - size / 2, width: size, height: size }
  }
  const height = Math.max(card.height, textHeight)
  return { ...card, y: middle - height / 2, height }
}

interface Where {
  mark: Point
  body: Box
  /** the width of the gutter */
  indent: number
  /** the side of the drawing that is always free */
  rail: number
  /** from the mark to places where the labels may stand away from it */
  steps: readonly Step[]
}

function placeOf(
  group: LabelGroup,
  shapes: readonly Shape[],
  where: Where,
  level: Level,
  taken: TakenRoom,
): Place {
  const { body, mark, indent } = where
  if (group.id === emptyGroupId) {
    const shape = shapes[0] as Shape
    return { shape, box: boxAt(shape, body.x + indent, -shape.height - 8) }
  }
  const free = ({ box, instead }: Place) => taken.isFree(grown(box, gap / 2), instead ? group.id : undefined)
  const middle = body.y + body.height / 2
  const below = shapes.map((shape) => ({
    shape,
    box: boxAt(shape, body.x + indent, body.y + body.height + gap),
  }))
  const beside = shapes.map((shape) => ({
    shape,
    box: boxAt(shape, body.x + body.width + gap + 2, middle - shape.height / 2),
  }))
  const before = shapes.map((shape) => ({
    shape,
    box: boxAt(shape, body.x - gap - 2 - shape.width, middle - shape.height / 2),
  }))
  const instead = shapes
    .filter(({ height }) => level === 'mid' && height <= body.height + gap)
    .map((shape) => ({ shape, instead: true, box: boxAt(shape, body.x + indent, middle - shape.height / 2) }))
  const natural: Place[] =
    level === 'far'
      ? [...beside, ...(group.ends ? below : []), ...before]
      : group.ends
        ? [...below, ...beside, ...instead]
        : [...beside.slice(0, 1), ...below.slice(0, 1), ...instead, ...beside.slice(1)]
  return (
    natural.find(free) ??
    nearby(shapes, mark, where.steps, level !== 'far', free) ??
    onRail(shapes, where, free)
  )
}

const boxAt = ({ width, height }: Size, x: number, y: number): Box => ({ x, y, width, height })

const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
})

/**
 * The nearest free place around a mark.
 *
 * @param within not to the left of the drawing, where a view begins
 */
function nearby(
  shapes: readonly Shape[],
  mark: Point,
  steps: readonly Step[],
  within: boolean,
  free: (place: Place) => boolean,
): Place | undefined {
  // from the least room to the most: a pile finds a place where a row finds none
  const tried = [...shapes].sort((a, b) => a.width - b.width)
  for (const { dx, dy } of steps) {
    for (const shape of tried) {
      const x = dx >= 0 ? mark.x + dx : mark.x + dx - shape.width
      const place = { shape, away: true, box: boxAt(shape, x, mark.y + dy - shape.height / 2) }
      if ((x >= 0 || !within) && free(place)) return place
    }
  }
  return undefined
}

/** To the right of the drawing, as near to the mark's height as there is room. */
function onRail(shapes: readonly Shape[], { mark, rail }: Where, free: (place: Place) => boolean): Place {
  const shape = [...shapes].sort((a, b) => a.height - b.height)[0] as Shape
  for (let step = 0; ; step++) {
    const dy = (step % 2 ? -1 : 1) * Math.ceil(step / 2) * 6
    const place = { shape, away: true, box: boxAt(shape, rail, mark.y + dy - shape.height / 2) }
    if (free(place)) return place
  }
}

type Step = Readonly<{ dx: number; dy: number }>

/** Steps away from a mark, the nearest first; of two as near the one to the right, and below. */
function stepsAway(x: number, y: number): readonly Step[] {
  const all: (Step & { away: number })[] = []
  for (let dx = -reach; dx <= reach; dx += x) {
    for (let dy = -reach; dy <= reach; dy += y) {
      const side = dx < 0 ? 24 : 0
      const up = dy < 0 ? 8 : 0
      if (Math.abs(dx) + Math.abs(dy) > 12) all.push({ dx, dy, away: Math.hypot(dx, dy) + side + up })
    }
  }
  return all.sort((a, b) => a.away - b.away)
}

const fineSteps = stepsAway(12, 8)
/** For a drawing with very many labels. */
const coarseSteps = stepsAway(44, 22)
const veryMany = 60

/** The point of a box that is nearest to another. */
const nearest = (box: Box, { x, y }: Point): Point => ({
  x: Math.min(Math.max(x, box.x), box.x + box.width),
  y: Math.min(Math.max(y, box.y), box.y + box.height),
})

/** The drawing with its labels, in the drawing's pixels. */
export function boxWithLabels(drawing: Box, labels: LabelMap): Box {
  let box = drawing
  for (const id of labels.placed.keys()) {
    const labelBox = labels.boxOf(id)
    if (labelBox) box = around(box, labelBox)
  }
  return box
}

/** How far labels stick out of the drawing at the most, at any of some zooms. */
export function overhangOf(drawing: Box, maps: readonly LabelMap[]): Overhang {
  const over = { left: 0, top: 0, right: 0, bottom: 0 }
  for (const labels of maps) {
    const box = boxWithLabels(drawing, labels)
    // just below the next step labels are larger by a step
    const scale = labels.zoom * (labels.zoom < 1 ? stepUp : 1)
    over.left = Math.max(over.left, (drawing.x - box.x) * scale)
    over.top = Math.max(over.top, (drawing.y - box.y) * scale)
    over.right = Math.max(over.right, (box.x + box.width - drawing.x - drawing.width) * scale)
    over.bottom = Math.max(over.bottom, (box.y + box.height - drawing.y - drawing.height) * scale)
  }
  return over
}
