import { isMet, type Target } from './statistics'

/** One line of the report. Both figures are medians of one run, in the same unit. */
export interface Result {
  /** the benchmark, as `--only` names it */
  bench: string
  what: string
  /** what it is compared with: a floor no store can beat, or another library */
  against: { name: string; value: number }
  ours: number
  unit: 'ms' | 's' | 'MB' | 'bytes' | 'rows' | 'per second'
  /** how many times the other figure ours is; for a peer how many times ours goes into theirs */
  ratio: number
  /** how much more than the other figure ours is, where the target limits that and not the ratio */
  added?: number
  target?: Target
  met?: boolean
  note?: string
}

type Input = Omit<Result, 'ratio' | 'met' | 'unit'> & { unit?: Result['unit'] }

/** Ours over a floor: the smaller the better. With `per second`, the larger the better. */
export const overFloor = (input: Input): Result => judged(input, input.ours / input.against.value)

/** A peer over ours, in time: the larger the better. */
export const fasterThan = (input: Input): Result => judged(input, input.against.value / input.ours)

/** What ours adds to the other figure, in the unit of both; the target limits that. */
export function addedTo(input: Input): Result {
  const added = input.added ?? input.ours - input.against.value
  const met = isMet(added, input.target)
  const ratio = input.ours / input.against.value
  return { unit: 'ms', ...input, ratio, added, ...(met === undefined ? {} : { met }) }
}

function judged(input: Input, ratio: number): Result {
  const met = isMet(ratio, input.target)
  return { unit: 'ms', ...input, ratio, ...(met === undefined ? {} : { met }) }
}
