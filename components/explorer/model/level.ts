import type { CSSProperties } from 'react'
import type { BranchId, MessageId } from '@/lib/events'
import { type MapScale, marksFrom, nearFrom } from '@/lib/graph'
import { hitSize, type Metrics } from './geometry'
import type { Range } from './view-window'

/** Detail of the drawing: the first lines of each message; its mark and some questions; or lines and titles alone. */
export type Level = 'near' | 'mid' | 'far'

/** @param column px of the screen from one message to the next */
export const levelAt = (column: number): Level =>
  column >= nearFrom ? 'near' : column >= marksFrom ? 'mid' : 'far'

/** Steps in which things follow the zoom: four to a doubling. */
const steps = 4

/**
 * The step a zoom belongs to, never larger than the zoom: between two steps everything grows together, so text is
 * never smaller than it says, and boxes that do not overlap at a step overlap nowhere.
 */
export const stepOf = (zoom: number): number => 2 ** (Math.floor(Math.log2(zoom) * steps + 1e-6) / steps)

/** The measures of a map at a step of the zoom. */
export const scaleOf = (zoom: number, metrics: Metrics): MapScale => ({
  column: metrics.step * zoom,
  row: metrics.row * zoom,
  chip: metrics.chip,
  mark: hitSize(metrics, zoom),
})

/** Undoes a step of the zoom for elements that keep their size on the screen. */
export const zoomedStyle = (zoom: number) => ({ '--unzoom': 1 / zoom }) as CSSProperties

export interface View {
  level: Level
  /** the zoom in steps: words do not change with every frame */
  zoom: number
  /** the part of the map that is drawn: the part in view, and some around it */
  range: Range
}

/** The branch or checkpoint that is being named in the drawing. */
export type NameWanted = { kind: 'checkpoint'; messageId: MessageId } | { kind: 'branch'; branchId: BranchId }
