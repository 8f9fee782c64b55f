import type { Viewport } from '@xyflow/react'
import type { DrawnItem, ItemId, MapLine, MapPlaces } from '@/lib/graph'
import type { Metrics, Point, Size } from './geometry'

/** A part of the map, in columns and rows. */
export interface Range {
  left: number
  right: number
  top: number
  bottom: number
}

/**
 * The part of the map that a viewport shows.
 *
 * @param more widens it on each side, as a share of its size
 */
export function rangeInView(
  { x, y, zoom }: Viewport,
  { width, height }: Size,
  { step, row }: Metrics,
  more = 0,
): Range {
  return {
    left: (-width * more - x) / zoom / step,
    right: (width * (1 + more) - x) / zoom / step,
    top: (-height * more - y) / zoom / row,
    bottom: (height * (1 + more) - y) / zoom / row,
  }
}

const area = ({ left, right, top, bottom }: Range): number => (right - left) * (bottom - top)

/** True when the part that is drawn covers the view, and is not far larger than the part wanted now. */
export function serves(drawn: Range, view: Range, wanted: Range): boolean {
  const holds =
    drawn.left <= view.left &&
    drawn.right >= view.right &&
    drawn.top <= view.top &&
    drawn.bottom >= view.bottom
  return holds && area(drawn) <= 2 * area(wanted)
}

/** The items of a map that are in a range, line by line, up to so many; null where there are more. */
export function itemsIn({ lines, places }: MapPlaces, range: Range, most: number): DrawnItem[] | null {
  const found: DrawnItem[] = []
  for (const line of lines) {
    if (line.row < range.top || line.row > range.bottom || line.to < range.left || line.from > range.right)
      continue
    for (let at = firstFrom(line, places, range.left); at < line.items.length; at++) {
      const item = line.items[at]
      const column = item && places.get(item.id)?.column
      if (!item || column === undefined || column > range.right) break
      if (found.length === most) return null
      found.push(item)
    }
  }
  return found
}

/** The item nearest to a point of the map, no further away than `reach`, both in columns and rows. */
export function itemNear({ lines, places }: MapPlaces, at: Point, reach: Point): ItemId | null {
  let nearest: { id: ItemId; away: number } | null = null
  for (const line of lines) {
    const down = Math.abs(line.row - at.y) / reach.y
    if (down > 1 || line.to < at.x - reach.x || line.from > at.x + reach.x) continue
    const after = firstFrom(line, places, at.x)
    for (const item of [line.items[after - 1], line.items[after]]) {
      const column = item && places.get(item.id)?.column
      if (!item || column === undefined) continue
      const across = Math.abs(column - at.x) / reach.x
      const away = across + down
      // a fold is as long as its contents
      const within = item.kind === 'fold' && column <= at.x
      if ((across <= 1 || within) && (!nearest || away < nearest.away))
        nearest = { id: item.id, away: within ? down : away }
    }
  }
  return nearest?.id ?? null
}

/** The first item of a line that stands at a column or after it. */
function firstFrom({ items }: MapLine, places: MapPlaces['places'], column: number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const at = places.get(items[middle]?.id ?? '')?.column ?? 0
    if (at < column) low = middle + 1
    else high = middle
  }
  return low
}
