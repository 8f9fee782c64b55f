import type { CSSProperties } from 'react'
import type { BranchId, MessageId } from '@/lib/events'
import type { Cell } from '@/lib/graph'
import type { Metrics } from './geometry'
import type { CellRange } from './view-window'

/** How much a card shows: two lines of text, one line, or its mark alone. */
export type Level = 'near' | 'mid' | 'far'

const nearFrom = 0.8
/** Closer than this a line of text fits a card. */
export const farBelow = 0.3

export const levelAt = (zoom: number, farFrom = farBelow): Level =>
  zoom < farFrom ? 'far' : zoom < nearFrom ? 'mid' : 'near'

/** Sizes of cards and labels at a zoom; the box around them sets `--zoom` and is marked with the level. */
export const zoomedStyle = {
  '--letters': 'min(11px / var(--zoom), 30px)',
  '--mark': 'min(0.8 / var(--zoom), 3.2)',
} as CSSProperties

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

/** The largest width of the labels of a message in the far view. */
export const labelsAtMost = 260

/** The place of a cell's labels: on the lower half of its card; from farther off in its place, at a constant size. */
export function labelStyle(cell: Cell, level: Level, metrics: Metrics): CSSProperties {
  const { cardHeight, cardWidth, columnStep, rowStep, gutter } = metrics
  const x = cell.column * columnStep + gutter
  const y = cell.row * rowStep
  if (level === 'near') {
    return {
      transform: `translate(${x + 7}px, ${y + cardHeight - 3}px) translateY(-100%)`,
      maxWidth: cardWidth - gutter - 14,
    }
  }
  const beside = level === 'far' ? '4px / var(--zoom)' : '0px'
  return {
    transform: `translate(calc(${x}px + ${beside}), ${y + cardHeight / 2}px) translateY(-50%) scale(calc(1 / var(--zoom)))`,
    transformOrigin: 'left center',
    maxWidth: level === 'mid' ? `calc(${columnStep - gutter}px * var(--zoom) - 6px)` : labelsAtMost,
  }
}
