import { expect, it } from 'vitest'
import { openDatabase } from '@/lib/db/open'
import { onPostgres, postgresDatabase } from '@/testing/worlds/open-stores'

onPostgres('migrations', () => {
  it('run once when several servers start at once on an empty Postgres', async () => {
    // given an empty database
    const { url, drop } = await postgresDatabase({ migrated: false })
    // when four servers open it together
    const opened = await Promise.all([1, 2, 3, 4].map(() => openDatabase({ url })))
    // then every migration is recorded once
    const rows = await opened[0]?.query('select hash from drizzle.__drizzle_migrations')
    expect(new Set(rows?.map((row) => JSON.stringify(row))).size).toBe(rows?.length)
    expect(rows?.length).toBeGreaterThan(0)
    await Promise.all(opened.map((database) => database.close()))
    await drop()
  })
})
