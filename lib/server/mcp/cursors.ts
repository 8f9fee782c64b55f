import 'server-only'
import { z } from 'zod'
import { InvalidRequestError } from '@/lib/conversations'
import { MAX_INT } from '@/lib/protocol/fields'

const place = z.int().min(0).max(MAX_INT)

/** Place from which something long continues. */
const cursor = z.union([
  /** a branch above a depth */
  z.strictObject({ above: place }),
  /** a message after some of its letters */
  z.strictObject({ message: z.string().min(1).max(128), after: place }),
  /** a list after some of its entries */
  z.strictObject({ skip: place }),
])

export type Cursor = z.infer<typeof cursor>

/** A place as a text that means nothing to its reader. */
export const cursorText = (at: Cursor): string => Buffer.from(JSON.stringify(at)).toString('base64url')

/** The place that a cursor stands for; none for no cursor. @throws InvalidRequestError for a text that is no cursor */
export function placeOf(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  try {
    return cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    throw otherList()
  }
}

/** Number of list entries that a cursor skips. @throws InvalidRequestError for a cursor of something else */
export function skippedBy(text: string | undefined): number {
  const at = placeOf(text)
  if (at === undefined) return 0
  if (!('skip' in at)) throw otherList()
  return at.skip
}

export const otherList = () =>
  new InvalidRequestError('This cursor is of another list. Begin again without one.', 'invalid_cursor')
