import type { Viewport } from '@xyflow/react'
import type { MapPlaces, Place } from '@/lib/graph'
import { type Box, nearFrom } from '@/lib/graph'

export type { Box }

/** Pixels of the map at 100 %, at which all of it is in the pane. */
export interface Metrics {
  /** from a message to the next */
  step: number
  /** from a line to the next */
  row: number
  /** the height of a label, on the screen at any zoom */
  chip: number
  /** the least size of a hit target, on the screen */
  target: number
}

export interface Size {
  width: number
  height: number
}

export interface Point {
  x: number
  y: number
}

/** In a narrower pane the toolbar is a sheet at the bottom, within reach of a thumb, instead of above its message. */
export const toolbarFloatsFrom = 480
/** Room for the bars that float above the map, and beside it. */
const clear = { top: 28, right: 16, bottom: 64, left: 24, sheet: 190 }
/** A message, or a line, takes no more of the pane than this; and no less, where there is more than the pane holds. */
const most = { step: 108, row: 112 }
const least = { step: 0.02, row: 1.5 }
/** A title can be read above each line. */
const titled = 44
/** The title of a line that begins near the right end has this much room. */
const overhang = { share: 0.62, most: 240 }

/**
 * The measures at which a map fills a pane: its length and its height each have their own. They are steps, so that a pane of
 * about the same size has the same map.
 */
export function metricsFor({ columns, rows }: MapPlaces, { width, height }: Size, touch: boolean): Metrics {
  const wide = width - clear.left - clear.right - Math.min(overhang.most, width * overhang.share)
  const high = height - clear.top - clear.bottom - 30
  const step = Math.max(least.step, Math.min(most.step, wide / Math.max(1, columns - 1)))
  // near enough to read messages, a line below is still in the pane
  const tallest = Math.max(titled, Math.min(most.row, step * 3))
  const row = Math.max(least.row, Math.min(tallest, high / Math.max(1, rows - 1)))
  return { step, row, chip: touch ? 26 : 20, target: touch ? 44 : 18 }
}

/** Zoom range of the map: out a little, and in until messages have their lines. */
export const zoomRangeOf = ({ step }: Metrics) => ({ min: 0.25, max: Math.max(2, (nearFrom * 2) / step) })

/** The point at which lines meet an item. */
export const markAt = ({ column, row }: Place, metrics: Metrics): Point => ({
  x: column * metrics.step,
  y: row * metrics.row,
})

/** Marks are hit within this much at least. */
const leastTarget = 12
/** Rows so far apart have room for a thumb between their words. */
const thumbRow = 84

/** Size of an item's hit target on the screen: larger where its neighbours are further away. */
export function hitSize({ step, row, target }: Metrics, zoom: number): Size {
  return {
    width: Math.min(target, Math.max(leastTarget, step * zoom)),
    height: row * zoom >= thumbRow ? target : Math.max(leastTarget, Math.min(18, row * zoom - 18)),
  }
}

/** The box of the map that is hit for an item, in pixels of the map at a zoom. */
export function hitBox(place: Place, metrics: Metrics, zoom: number): Box {
  const { x, y } = markAt(place, metrics)
  const size = hitSize(metrics, zoom)
  const [width, height] = [size.width / zoom, size.height / zoom]
  return { x: x - width / 2, y: y - height / 2, width, height }
}

/** The whole map without its words. */
export const drawingBox = ({ columns, rows }: MapPlaces, metrics: Metrics): Box => ({
  x: 0,
  y: 0,
  width: Math.max(0, columns - 1) * metrics.step,
  height: Math.max(0, rows - 1) * metrics.row,
})

/** Length of the bend before a line turns, in pixels of the map. */
const bendOf = ({ step, row }: Metrics, zoom: number): number => Math.min(step * 0.8, row * 0.45, 14 / zoom)

/** The way to an item: straight on its line, else down from where its line forks, and around. */
export function linePath(from: Place, to: Place, metrics: Metrics, zoom: number): string {
  const start = markAt(from, metrics)
  const end = markAt(to, metrics)
  if (start.y === end.y) return `M${start.x} ${start.y}H${end.x}`
  const bend = bendOf(metrics, zoom)
  return `M${start.x} ${start.y}V${end.y - bend}Q${start.x} ${end.y} ${start.x + bend} ${end.y}H${end.x}`
}

/**
 * The line from a merged message to the merge: on along its row and up into it where that lies further on, else a
 * curve.
 */
export function mergePath(from: Place, to: Place, metrics: Metrics, zoom: number): string {
  const start = markAt(from, metrics)
  const end = markAt(to, metrics)
  const bend = bendOf(metrics, zoom)
  if (start.y > end.y && end.x - start.x > bend) {
    return `M${start.x} ${start.y}H${end.x - bend}Q${end.x} ${start.y} ${end.x} ${start.y - bend}V${end.y}`
  }
  const pull = Math.max(metrics.step, Math.abs(end.x - start.x) / 2)
  return `M${start.x} ${start.y}C${start.x + pull} ${start.y} ${end.x - pull} ${end.y} ${end.x} ${end.y}`
}

/** The viewport that shows a box in the middle of a pane, no larger than `zoom`. */
export function fitBox(box: Box, { width, height }: Size, zoom: number): Viewport {
  const wide = width - clear.left - clear.right
  const high = height - clear.top - clear.bottom
  return {
    zoom,
    x: clear.left + Math.max(0, wide - box.width * zoom) / 2 - box.x * zoom,
    y: clear.top + Math.max(0, high - box.height * zoom) / 2.6 - box.y * zoom,
  }
}

/** The zoom at which a box fills a pane. */
export const zoomFor = (box: Box, { width, height }: Size): number =>
  Math.min(
    (width - clear.left - clear.right) / Math.max(1, box.width),
    (height - clear.top - clear.bottom) / Math.max(1, box.height),
  )

/** The place of a box on the screen. */
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

/** Tells whether a box lies in another one with all of it. */
export const isWithin = (box: Box, frame: Box): boolean =>
  box.x >= frame.x &&
  box.y >= frame.y &&
  box.x + box.width <= frame.x + frame.width &&
  box.y + box.height <= frame.y + frame.height

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

/** Distance that moves an interval between two bounds; its start wins where it is too long. */
function shift(start: number, length: number, from: number, to: number): number {
  if (start < from) return from - start
  return Math.min(0, Math.max(to - (start + length), from - start))
}
