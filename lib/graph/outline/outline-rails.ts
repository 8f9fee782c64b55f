/** A row as its gutter needs to know it. */
interface Railed {
  column: number
  lane: number
  /** it goes on from the row above in its column; else its line leaves the column to its left */
  goesOn: boolean
}

/** The lines in the gutter of a row, each by the lane whose colour it takes; null for none. */
export interface Rails {
  /** lines that pass the row, by column */
  through: readonly (number | null)[]
  /** into the row's mark from above, and out of it below */
  above: number | null
  below: number | null
  /** the line bends in from the column to the left */
  bends: boolean
}

/** Draws the lines of a list of rows, from the last row up: each row asks for a line from above. Linear. */
export function withRails<R extends Railed>(rows: readonly R[]): (R & { rails: Rails })[] {
  /** by column, the lane of the line that a row below waits for */
  const awaited: (number | null)[] = []
  const drawn: (R & { rails: Rails })[] = []
  for (const row of rows.toReversed()) {
    const { column, lane, goesOn } = row
    const below = awaited[column] ?? null
    awaited.length = Math.min(awaited.length, column)
    const through = Array.from({ length: column }, (_, at) => awaited[at] ?? null)
    const bends = !goesOn && column > 0
    drawn.push({ ...row, rails: { through, above: goesOn ? lane : null, below, bends } })
    for (let at = awaited.length; at <= column; at++) awaited[at] = null
    if (goesOn) awaited[column] = lane
    else if (bends) awaited[column - 1] ??= lane
  }
  return drawn.reverse()
}
