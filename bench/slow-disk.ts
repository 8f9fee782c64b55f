import type { Environment } from './environment'

/** What a flush takes on the networked disks that databases in the cloud have, in milliseconds. */
export const FLUSH = 1

/**
 * Does some work while every commit of the environment's connection waits as long as on a slower disk. The floor of a
 * write is little more than one flush, so its ratio says as much about the disk as about the store: this gives it for
 * a disk that is known.
 */
export async function onSlowDisk<T>({ database }: Environment, work: () => Promise<T>): Promise<T> {
  await database.query(`set commit_delay = ${FLUSH * 1000}`)
  await database.query('set commit_siblings = 0')
  try {
    return await work()
  } finally {
    await database.query('reset commit_delay')
    await database.query('reset commit_siblings')
  }
}
