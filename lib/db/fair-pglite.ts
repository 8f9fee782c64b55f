import type { PGlite } from '@electric-sql/pglite'
import type { Database, QueryOptions, Timeouts } from './database'
import { FairGate } from './fair-gate'
import type { LoadCount } from './load'

/** What runs at the database, and is not itself part of something that does. */
const WORK = new Set<PropertyKey>(['query', 'exec', 'transaction'])

/**
 * The same embedded database, whose statements and transactions take turns by person (`onBehalfOf`). It runs one of them
 * at a time, and left to itself in the order they came. `query` knows of kinds and signals, `ping` asks a trivial
 * statement before all that wait.
 */
export function fairPglite(
  embedded: PGlite,
  load: LoadCount,
  timeouts: Timeouts,
): { client: PGlite } & Pick<Database, 'query' | 'ping'> {
  const gate = new FairGate(timeouts)
  const pass: FairGate['pass'] = (work, options) => load.during(() => gate.pass(work, options))
  const client = new Proxy(embedded, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      const method = value.bind(target)
      return WORK.has(key) ? (...args: unknown[]) => pass(() => method(...args)) : method
    },
  })
  return {
    client,
    query: <Row>(text: string, params: readonly unknown[] = [], { kind, signal }: QueryOptions = {}) =>
      pass(async () => (await embedded.query<Row>(text, [...params])).rows, {
        ...(kind ? { kind } : {}),
        ...(signal ? { signal } : {}),
      }),
    ping: () =>
      pass(
        async () => {
          await embedded.query('select 1')
        },
        { urgent: true },
      ),
  }
}
