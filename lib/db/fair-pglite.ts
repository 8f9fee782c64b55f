import type { PGlite } from '@electric-sql/pglite'
import { FairGate } from './fair-gate'

/** What runs at the database, and is not itself part of something that does. */
const WORK = new Set<PropertyKey>(['query', 'exec', 'transaction'])

/**
 * The same embedded database, whose statements and transactions take turns by person (`onBehalfOf`). It runs one of them
 * at a time, and left to itself in the order they came.
 *
 * @returns `ping` asks it a trivial statement before all that wait
 */
export function fairPglite(client: PGlite): { client: PGlite; ping(): Promise<void> } {
  const gate = new FairGate()
  const fair = new Proxy(client, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      const method = value.bind(target)
      return WORK.has(key) ? (...args: unknown[]) => gate.pass(() => method(...args)) : method
    },
  })
  return {
    client: fair,
    ping: () =>
      gate.pass(
        async () => {
          await client.query('select 1')
        },
        { urgent: true },
      ),
  }
}
