import { InvalidDataError } from './errors'

/** JSON nested deeper than this is refused before it reaches SQL (RELIABILITY.md, fault 3). */
const MAX_DEPTH = 64

/**
 * Throws `InvalidDataError` for a value that Postgres would refuse or keep differently: text with NUL or a
 * lone surrogate, nesting beyond 64 levels (a cycle has no end), a bigint.
 */
export function checkData(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new InvalidDataError('Text must not contain the NUL character')
    if (!value.isWellFormed())
      throw new InvalidDataError('Text must be valid Unicode: it has a lone surrogate')
    return
  }
  if (typeof value === 'bigint') throw new InvalidDataError('Data must be JSON: it has a bigint')
  if (typeof value !== 'object' || value === null) return
  if (depth >= MAX_DEPTH)
    throw new InvalidDataError(`Data must not be nested deeper than ${MAX_DEPTH} levels`)
  for (const [key, child] of Object.entries(value)) {
    checkData(key, depth + 1)
    checkData(child, depth + 1)
  }
}
