import type { CSSProperties } from 'react'

/** The name of the CSS variable with a lane's colour: eight colours, again and again. */
const laneName = (lane: number): string => `--lane-${lane % 8}`

/** A lane's colour, as CSS. */
export const laneColor = (lane: number): string => `var(${laneName(lane)})`

/** Gives an element and what is in it a lane's colour, as `--lane`. */
export const laneStyle = (lane: number | null): CSSProperties =>
  ({ '--lane': laneColor(lane ?? 0) }) as CSSProperties
