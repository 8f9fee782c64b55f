import { expect } from 'vitest'
import type { Database, Orm } from '@/lib/db'

type Transaction = Parameters<Parameters<Orm['transaction']>[0]>[0]

/**
 * A transaction that has done its work and is not committed: others see nothing of it, and wait for its locks.
 *
 * @returns what commits it
 */
export async function heldTransaction(
  database: Database,
  work: (tx: Transaction) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const [done, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended = database.orm.transaction(async (tx) => {
    await work(tx)
    done.resolve()
    await end.promise
  })
  await Promise.race([done.promise, ended])
  return async () => {
    end.resolve()
    await ended
  }
}

/** Resolves once work has ended, or somebody in its database, a Postgres, waits for a lock. */
export async function untilEndedOrWaiting(database: Database, work: Promise<unknown>): Promise<void> {
  const waiting = () =>
    database.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  await Promise.race([work, expect.poll(async () => (await waiting()).length).toBeGreaterThan(0)])
}
