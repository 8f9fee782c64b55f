import type { MessageId } from './ids'

/** A place in a reply where it goes on with a cut one: before it stands what the cut reply said. */
export interface Seam {
  /** the cut reply; absent in a copy of a shared chat, which has no others */
  messageId?: MessageId
  /** the part that the seam stands in; marks of steps do not count, since a page that reads along has none */
  part: number
  /** characters of that part's text before the seam; 0 where the whole part comes after it */
  at: number
}

/** The index of the part that a seam stands in. */
export function partOf({ part }: Pick<Seam, 'part'>, parts: readonly { type: string }[]): number {
  let left = part
  const at = parts.findIndex((each) => isCounted(each) && left-- === 0)
  return at === -1 ? parts.length : at
}

/** Counts the parts that a seam behind them counts. */
export const countParts = (parts: readonly { type: string }[]): number => parts.filter(isCounted).length

const isCounted = ({ type }: { type: string }): boolean => type !== 'step-start'

/**
 * The seams of a message, the first one first. An import may have brought anything: a value that is no seam is left
 * out.
 */
export function seamsIn({ metadata }: { metadata?: unknown }): Seam[] {
  const { seams } = (metadata ?? {}) as { seams?: unknown }
  return Array.isArray(seams) ? seams.filter(isSeam) : []
}

function isSeam(value: unknown): value is Seam {
  const { part, at, messageId } = (value ?? {}) as Record<string, unknown>
  return isCount(part) && isCount(at) && (messageId === undefined || typeof messageId === 'string')
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

/** The error of a call that had no result when its reply ended. */
export const neverAnswered = 'The reply ended before this tool had answered.'
