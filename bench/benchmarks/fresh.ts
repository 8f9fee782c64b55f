import { openPglite } from '@/lib/db/open-pglite'
import { openPostgres } from '@/lib/db/open-postgres'
import { DrizzleContextStore } from '@/lib/store'
import { createDatabase } from '@/testing/machines/create-database'
import type { Environment } from '../environment'
import { loadChat } from '../fixtures/load-chat'
import { turnMaker, turnSaver } from '../fixtures/turns'
import { overFloor, type Result } from '../result'
import { atMost, median } from '../statistics'

const BLOCK = 200

/**
 * A database on its first day: no statistics, and sessions that keep the plans they made while its tables were empty.
 * The other benchmarks never see this, they begin with VACUUM ANALYZE.
 */
export async function fresh(env: Environment): Promise<Result[]> {
  const own = env.url === undefined ? undefined : await createDatabase(env.url)
  const database = own
    ? await openPostgres({ url: own.url, max: 1 })
    : await openPglite({ dataDir: 'memory://' })
  try {
    const store = new DrizzleContextStore(database)
    const save = turnSaver(store, await loadChat(store, { chatId: 'first', length: 2 }))
    const make = turnMaker('m')
    const blocks: number[] = []
    for (let block = 0; block < (env.quick ? 4 : 10); block++) {
      const times: number[] = []
      for (const turn of Array.from({ length: BLOCK }, make)) {
        const start = performance.now()
        await save(turn)
        times.push(performance.now() - start)
      }
      blocks.push(median(times))
    }
    const [first, last] = [blocks[0], blocks.at(-1)]
    if (first === undefined || last === undefined) throw new Error('Nothing was measured')
    return [
      overFloor({
        bench: 'fresh',
        what: `one turn, after ${(blocks.length - 1) * BLOCK}`,
        against: { name: `the first ${BLOCK}`, value: first },
        ours: last,
        target: atMost(1.3),
      }),
    ]
  } finally {
    await database.close()
    await own?.drop()
  }
}
