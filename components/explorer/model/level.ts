import type { CSSProperties } from 'react'
import type { BranchId, MessageId } from '@/lib/events'
import type { Metrics } from './geometry'
import type { CellRange } from './view-window'

/** How much a card shows: its text in a frame, its text alone over the room beside it, or its mark alone. */
export type Level = 'near' | 'mid' | 'far'

const nearFrom = 0.84
/** Closer than this a line of text fits a card. */
export const farBelow = 0.24

export const levelAt = (zoom: number, farFrom = farBelow): Level =>
  zoom < farFrom ? 'far' : zoom < nearFrom ? 'mid' : 'near'

/** Steps in which things follow the zoom: four to a doubling. */
const steps = 4
/** From a step to the next. */
export const stepUp = 2 ** (1 / steps)

/**
 * The step a zoom belongs to, never larger than the zoom: between two steps everything grows together, so text is
 * never smaller than it says, and what does not overlap at a step overlaps nowhere.
 */
export const stepOf = (zoom: number): number => 2 ** (Math.floor(Math.log2(zoom) * steps + 1e-6) / steps)

/** From one line of a text to the next, in px of the screen up to a zoom of 100 %. */
export const lineHeight = 15

/** Around the lines of a text without a frame. */
export const textPad = 4

/** What is left beside a text that goes on as far as the pane allows. */
const textEnd = 56

/** How many lines of its text a card shows. */
export function linesAt(level: Level, zoom: number, { rowStep }: Metrics): number {
  if (level === 'near') return 2
  return Math.max(1, Math.min(2, Math.floor((rowStep * zoom - 8) / lineHeight)))
}

/** Sizes of cards at a step of the zoom. */
export const zoomedStyle = (level: Level, zoom: number, metrics: Metrics) =>
  ({
    '--letters': `${Math.max(12, 12 / zoom)}px`,
    '--lines': linesAt(level, zoom, metrics),
    '--mark': Math.min(0.8 / zoom, 3.2),
    '--gutter': `${metrics.gutter}px`,
    // text that goes on over free columns ends in the pane
    '--text-most': `calc((100cqw - ${textEnd}px) / ${zoom})`,
    '--text-least': `${(linesAt(level, zoom, metrics) * lineHeight + textPad) / zoom}px`,
  }) as CSSProperties

/** How wide a mark is in the far view, on the screen. */
export const markSize = (zoom: number): number => 12 * Math.min(0.8, 3.2 * zoom)

export const levelMarks = (level: Level) => ({
  'data-mid': level === 'mid' || undefined,
  'data-far': level === 'far' || undefined,
})

export interface View {
  level: Level
  /** the zoom in steps: labels and lines do not change with every frame */
  zoom: number
  /** the cells that are drawn: those in view and some around them */
  range: CellRange
}

/** The branch or checkpoint that is being named in the drawing. */
export type NameWanted = { kind: 'checkpoint'; messageId: MessageId } | { kind: 'branch'; branchId: BranchId }
