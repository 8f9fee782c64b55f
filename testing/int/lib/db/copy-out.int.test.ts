import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readWhole } from '@/lib/db'
import { openPostgres } from '@/lib/db/open-postgres'
import type { TestDatabase } from '@/testing/machines/create-database'
import { onPostgres, postgresDatabase } from '@/testing/worlds/open-stores'

onPostgres('rows that are copied out', () => {
  let own: TestDatabase
  beforeAll(async () => {
    own = await postgresDatabase({ migrated: false })
    const database = await openPostgres({ url: own.url })
    await database.query(
      `create table bulk as select n, repeat('x', 1000) as words from generate_series(1, 2000) n`,
    )
    await database.close()
  })
  afterAll(() => own?.drop())

  it('given a reader that is slower than the server, however much there is, then the statement after it is answered', async () => {
    const rows = await readWhole({ url: own.url }, async (database) => {
      const counts: number[] = []
      for (let most = 1050; most <= 1250; most += 5) {
        let copied = 0
        const copy = { table: 'bulk', select: ['n', 'words'], where: `n <= ${most}` }
        for await (const piece of database.copyOut(copy)) {
          copied += Buffer.from(piece).toString().split('\n').length - 1
          // as long as the rest is on its way
          for (let turn = 0; turn < 50; turn++) await setImmediate()
        }
        const [row] = await database.run<{ most: number }>(`select ${most} as most`)
        counts.push(copied - (row?.most ?? 0))
      }
      return counts
    })
    expect(rows.filter((difference) => difference !== 0)).toEqual([])
    expect(rows).toHaveLength(41)
  })
})
