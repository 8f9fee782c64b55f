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
}

/** For a mouse: dense. */
export const finePointer: Metrics = {
  cardWidth: 206,
  cardHeight: 44,
  columnStep: 222,
  rowStep: 62,
  markX: 12,
  gutter: 24,
}

/** For a thumb: every card can be hit. */
export const coarsePointer: Metrics = { ...finePointer, cardWidth: 214, cardHeight: 58, rowStep: 80 }

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
  /** names can still be read at this zoom; further out the view opens at the head instead of showing everything */
  readableZoom: 0.5,
  /** how far down the head is, as a share of the height */
  headAt: 0.66,
}
const { pad, readableZoom, headAt } = openingBounds

/** The viewport that shows all of a box, never larger than life. */
export function fitBox(box: Box, { width, height }: Size): Viewport {
  const zoom = Math.max(
    zoomRange.min,
    Math.min(1, (width - 2 * pad) / box.width, (height - clear.top - clear.bottom) / box.height),
  )
  return { zoom, x: (width - box.width * zoom) / 2 - box.x * zoom, y: clear.top - box.y * zoom }
}

/** The viewport that shows the whole drawing, while its cards can still be read in it. */
export function wholeView(drawing: Box, size: Size): Viewport | null {
  const fitted = fitBox(drawing, size)
  return fitted.zoom >= readableZoom ? fitted : null
}

/**
 * The first view of the drawing: all of it while it can be read at that size, else the head in the lower half with
 * its path above.
 */
export function openingView(drawing: Box, head: Box, size: Size): Viewport {
  const whole = wholeView(drawing, size)
  if (whole) return whole
  const centred = (size.width - drawing.width) / 2
  const headShown = size.width - clear.right - (head.x + head.width)
  return {
    zoom: 1,
    x: Math.min(Math.max(pad, centred), headShown),
    y: Math.min(clear.top - drawing.y, size.height * headAt - head.y),
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

/** How far to move an interval to lie between two bounds; its start wins where it is too long. */
function shift(start: number, length: number, from: number, to: number): number {
  if (start < from) return from - start
  return Math.min(0, Math.max(to - (start + length), from - start))
}
