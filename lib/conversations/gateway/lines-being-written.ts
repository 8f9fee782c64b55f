import type { BranchId } from '@/lib/events'
import type { Found } from './find-line'
import type { Line } from './store-line'

/** Lines that are being written in this process, by names that another line may want too. */
const writing = new Map<string, Promise<void>>()

/**
 * Names that two lines written at the same time may both want: their first new message, their branch, and in
 * a new chat the session. One line waits for the other, so that the announced place becomes the real one.
 */
export function wantedBy(
  { ownerId, names, lastName }: Line,
  { found, branchId }: { found: Found | undefined; branchId: BranchId },
): string[] {
  const wanted = [names[found ? found.at + 1 : 0], found ? undefined : lastName, branchId]
  return wanted.filter((each) => each !== undefined).map((each) => `${ownerId} ${each}`)
}

/**
 * Resolves when a line that wants one of the names is written; undefined when no such line is being written.
 */
export const beingWritten = (wanted: readonly string[]): Promise<void> | undefined =>
  wanted.map((each) => writing.get(each)).find((each) => each !== undefined)

/** Makes other lines that want one of the names wait, until the returned function is called. */
export function claim(wanted: readonly string[]): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const each of wanted) writing.set(each, promise)
  return () => {
    for (const each of wanted) if (writing.get(each) === promise) writing.delete(each)
    resolve()
  }
}
