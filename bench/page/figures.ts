/** A measured value and its target. */
export interface Figure {
  what: string
  value: number
  unit: string
  /** at most, or with `atLeast` at least */
  target?: number
  atLeast?: boolean
}

export const meets = ({ value, target, atLeast = false }: Figure): boolean =>
  target === undefined || (atLeast ? value >= target : value <= target)

/** A table of figures, one per line. */
export function printFigures(figures: readonly Figure[]): string {
  const lines = figures.map((figure) => {
    const { what, value, unit, target, atLeast } = figure
    const wanted = target === undefined ? '' : `${atLeast ? '≥' : '≤'} ${target} ${unit}`
    const verdict = target === undefined ? '' : meets(figure) ? 'ok' : 'MISSED'
    return `${what.padEnd(58)} ${`${rounded(value)} ${unit}`.padStart(12)}   ${wanted.padEnd(12)} ${verdict}`
  })
  return lines.join('\n')
}

const rounded = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0))

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]]
  return (low + high) / 2
}
