import type { Viewport } from '@xyflow/react'
import type { Cell } from '@/lib/graph'

/** Pixels of the drawing at 100 %. A message's mark stands in the gutter, its text to the right of it. */
export const cardWidth = 220
export const cardHeight = 44
export const markX = 14
export const markY = cardHeight / 2
const columnStep = cardWidth + 28
export const rowStep = cardHeight + 32

export interface Size {
  width: number
  height: number
}

export interface Box extends Size {
  x: number
  y: number
}

export const cellBox = ({ column, row }: Cell): Box => ({
  x: column * columnStep,
  y: row * rowStep,
  width: cardWidth,
  height: cardHeight,
})

/** The whole drawing, with room for the labels above the first and below the last row. */
export const drawingBox = (columns: number, rows: number): Box => ({
  x: 0,
  y: -8,
  width: columns * columnStep - 28,
  height: rows * rowStep + 8,
})

export const zoomRange = { min: 0.02, max: 1.6 }
const pad = 24
/** Narrower than this, the toolbar is a bar at the bottom, within reach of a thumb, instead of above its message. */
export const toolbarFloatsFrom = 480
/** Kept clear for the controls at the bottom, and for the toolbar. */
const clear = { top: 48, right: 20, bottom: 72, left: 16, bottomBar: 116 }

/** The viewport that shows all of a box, never larger than life. */
export function fitBox(box: Box, { width, height }: Size): Viewport {
  const zoom = Math.max(
    zoomRange.min,
    Math.min(1, (width - 2 * pad) / box.width, (height - clear.top - clear.bottom) / box.height),
  )
  return { zoom, x: (width - box.width * zoom) / 2 - box.x * zoom, y: clear.top - box.y * zoom }
}

/** Cards are still read at this zoom; further out the whole matters less than the part one is at. */
const readableZoom = 0.55

/** The viewport that shows the whole drawing, while its cards can still be read in it. */
export function wholeView(drawing: Box, size: Size): Viewport | null {
  const fitted = fitBox(drawing, size)
  return fitted.zoom >= readableZoom ? fitted : null
}

/**
 * Where the drawing is seen first: all of it while it can be read like that, else the head in the lower half with
 * what led to it above.
 */
export function openingView(drawing: Box, head: Box, size: Size): Viewport {
  const whole = wholeView(drawing, size)
  if (whole) return whole
  const zoom = size.width < toolbarFloatsFrom ? 0.9 : 1
  const narrow = drawing.width * zoom <= size.width - 2 * pad
  const fromLeft = pad - drawing.x * zoom
  const headShown = size.width - clear.right - (head.x + head.width) * zoom
  const x = narrow ? (size.width - drawing.width * zoom) / 2 : Math.min(fromLeft, headShown)
  return { zoom, x, y: Math.min(clear.top - drawing.y * zoom, size.height * 0.66 - head.y * zoom) }
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

/** The viewport moved no farther than it takes to show the box clear of what floats above it. */
export function reveal(box: Box, viewport: Viewport, size: Size): Viewport {
  const seen = onScreen(box, viewport)
  const bottom = size.width < toolbarFloatsFrom ? clear.bottomBar : clear.bottom
  return {
    zoom: viewport.zoom,
    x: viewport.x + shift(seen.x, seen.width, clear.left, size.width - clear.right),
    y: viewport.y + shift(seen.y, seen.height, clear.top, size.height - bottom),
  }
}

/** How far to move a stretch so that it lies between two bounds; its start wins where both cannot be. */
function shift(start: number, length: number, from: number, to: number): number {
  if (start < from) return from - start
  return Math.min(0, Math.max(to - (start + length), from - start))
}
