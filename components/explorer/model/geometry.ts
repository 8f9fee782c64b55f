import type { Viewport } from '@xyflow/react'
import type { Cell, PlacedEdge } from '@/lib/graph'

/** Pixels of the drawing at 100 %. An item's mark stands in the gutter, its card to the right of it. */
export interface Metrics {
  cardWidth: number
  cardHeight: number
  /** from a column, or a row, to the next */
  columnStep: number
  rowStep: number
  /** the middle of the gutter, and how wide it is */
  markX: number
  gutter: number
  /** the height of a label of one line, on the screen at any zoom; it fits between the cards of two rows */
  labelHeight: number
}

/** For a mouse: dense. */
export const finePointer: Metrics = {
  cardWidth: 194,
  cardHeight: 40,
  columnStep: 208,
  rowStep: 64,
  markX: 12,
  gutter: 24,
  labelHeight: 19,
}

/** For a thumb: every card can be hit. */
export const coarsePointer: Metrics = {
  ...finePointer,
  cardWidth: 202,
  cardHeight: 56,
  columnStep: 214,
  rowStep: 88,
  labelHeight: 25,
}

export interface Size {
  width: number
  height: number
}

export interface Point {
  x: number
  y: number
}

export interface Box extends Size, Point {}

export const cellBox = ({ column, row }: Cell, metrics: Metrics): Box => ({
  x: column * metrics.columnStep,
  y: row * metrics.rowStep,
  width: metrics.cardWidth,
  height: metrics.cardHeight,
})

/** Where lines meet an item. */
export const markAt = ({ column, row }: Cell, metrics: Metrics): Point => ({
  x: column * metrics.columnStep + metrics.markX,
  y: row * metrics.rowStep + metrics.cardHeight / 2,
})

/** The whole drawing. */
export const drawingBox = (columns: number, rows: number, metrics: Metrics): Box => ({
  x: 0,
  y: 0,
  width: columns * metrics.columnStep - (metrics.columnStep - metrics.cardWidth),
  height: rows * metrics.rowStep - (metrics.rowStep - metrics.cardHeight),
})

const bend = 8
/** How far below the cards of a row the first track runs, and from one track to the next. */
const trackFrom = 5
const trackStep = 2.7

/** How far below an item's mark a line leaves its column. */
export const turnsAt = (track: number, metrics: Metrics): number =>
  metrics.cardHeight / 2 + trackFrom + track * trackStep

/** The line to a reply: straight in its column, else down, across between the rows, and down. */
export function linePath(edge: Pick<PlacedEdge, 'track'>, from: Cell, to: Cell, metrics: Metrics): string {
  const start = markAt(from, metrics)
  const end = markAt(to, metrics)
  if (start.x === end.x) return `M${start.x} ${start.y}V${end.y}`
  const y = start.y + turnsAt(edge.track, metrics)
  const side = end.x > start.x ? bend : -bend
  return `M${start.x} ${start.y}V${y - bend}Q${start.x} ${y} ${start.x + side} ${y}H${end.x - side}Q${end.x} ${y} ${end.x} ${y + bend}V${end.y}`
}

/** The line from what was merged to the merge: a curve, since it may cross any number of rows and columns. */
export function mergePath(from: Cell, to: Cell, metrics: Metrics): string {
  const start = markAt(from, metrics)
  const end = markAt(to, metrics)
  const pull = Math.max(metrics.rowStep / 2, Math.abs(end.y - start.y) / 2)
  // in one column the curve goes around what stands between
  const side = start.x === end.x ? metrics.columnStep / 6 : 0
  return `M${start.x} ${start.y}C${start.x - side} ${start.y + pull} ${end.x - side} ${end.y - pull} ${end.x} ${end.y}`
}

export const zoomRange = { min: 0.02, max: 1.6 }
/** In a narrower pane the toolbar is a sheet at the bottom, within reach of a thumb, instead of above its message. */
export const toolbarFloatsFrom = 480
/** Room for the bars that float above the drawing. */
const clear = { top: 44, right: 16, bottom: 64, left: 14, sheet: 190 }

/** The measures of the opening view. */
export const openingBounds = {
  ...clear,
  /** beside the drawing */
  pad: 20,
  /** in smaller columns text says too little: then the view opens at the head instead of showing everything */
  wholeZoom: 0.48,
  /** the smallest zoom of a part */
  readableZoom: 0.5,
  /** closer than this a part of the drawing shows fewer messages, and no more of their text */
  partZoom: 0.6,
  /** how far down the head is, as a share of the height */
  headAt: 0.72,
  /** a single column of messages takes this much of the pane's width, with its text */
  textWidth: 480,
}
const { pad, wholeZoom, readableZoom, partZoom, headAt, textWidth } = openingBounds

/** How far labels stick out of the drawing, in px of the screen. */
export interface Overhang {
  left: number
  top: number
  right: number
  bottom: number
}

export const noOverhang: Overhang = { left: 0, top: 0, right: 0, bottom: 0 }

const wideOf = (box: Box, zoom: number, over: Overhang): number => over.left + box.width * zoom + over.right

/** The viewport that shows all of a box, and what sticks out of it, never larger than life or than `most`. */
export function fitBox(box: Box, { width, height }: Size, over: Overhang = noOverhang, most = 1): Viewport {
  const wide = width - 2 * pad - over.left - over.right
  const high = height - clear.top - clear.bottom - over.top - over.bottom
  const zoom = Math.max(zoomRange.min, Math.min(most, wide / box.width, high / box.height))
  return {
    zoom,
    x: Math.max(pad, (width - Math.max(textWidth, wideOf(box, zoom, over))) / 2) + over.left - box.x * zoom,
    y: clear.top + over.top - box.y * zoom,
  }
}

/** The viewport that shows the whole drawing with its labels, while its text can be read in it. */
export function wholeView(drawing: Box, size: Size, over: Overhang): Viewport | null {
  const fitted = fitBox(drawing, size, over)
  return fitted.zoom >= wholeZoom ? fitted : null
}

/**
 * The first view of the drawing: all of it while it can be read at that size, else the head in the lower half with
 * its path above, and as much beside it as can be read.
 *
 * @param headRoom how far the head's label reaches from the left side of its card, in px of the screen
 */
export function openingView(drawing: Box, head: Box, size: Size, over = noOverhang, headRoom = 0): Viewport {
  const whole = wholeView(drawing, size, over)
  if (whole) return whole
  const zoom = Math.max(readableZoom, Math.min(partZoom, (size.width - 2 * pad - over.right) / drawing.width))
  const centred = (size.width - Math.max(textWidth, wideOf(drawing, zoom, over))) / 2 + over.left
  const headShown = size.width - clear.right - head.x * zoom - Math.max(head.width * zoom, headRoom)
  return {
    zoom,
    x: Math.min(Math.max(pad, centred), headShown),
    y: Math.min(clear.top + over.top - drawing.y * zoom, size.height * headAt - head.y * zoom),
  }
}

/** Where a box appears on the screen. */
export const onScreen = (box: Box, { x, y, zoom }: Viewport): Box => ({
  x: box.x * zoom + x,
  y: box.y * zoom + y,
  width: box.width * zoom,
  height: box.height * zoom,
})

export function isInView(box: Box, viewport: Viewport, size: Size): boolean {
  const seen = onScreen(box, viewport)
  return seen.x < size.width && seen.y < size.height && seen.x + seen.width > 0 && seen.y + seen.height > 0
}

/** The viewport moved just far enough to show the box clear of the floating bars. */
export function reveal(box: Box, viewport: Viewport, size: Size): Viewport {
  const seen = onScreen(box, viewport)
  const bottom = size.width < toolbarFloatsFrom ? clear.sheet : clear.bottom
  return {
    zoom: viewport.zoom,
    x: viewport.x + shift(seen.x, seen.width, clear.left, size.width - clear.right),
    y: viewport.y + shift(seen.y, seen.height, clear.top, size.height - bottom),
  }
}

/** The smallest box around two. */
export function around(one: Box, other: Box): Box {
  const x = Math.min(one.x, other.x)
  const y = Math.min(one.y, other.y)
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  }
}

export const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** How far to move an interval to lie between two bounds; its start wins where it is too long. */
function shift(start: number, length: number, from: number, to: number): number {
  if (start < from) return from - start
  return Math.min(0, Math.max(to - (start + length), from - start))
}
