import { spawnSync } from 'node:child_process'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '@/lib/db'
import { newId } from '@/lib/events'
import { DrizzleContextStore, followSome } from '@/lib/store'
import { pgliteFolder } from '@/testing/worlds/open-stores'

const { dataDir, remove } = pgliteFolder()
afterAll(remove)

/** `npm run db:rebuild` with these arguments. */
function rebuild(...args: string[]) {
  const { DATABASE_URL: _served, ...env } = process.env
  const cli = ['lib/runtime/cli/run.mjs', 'db-rebuild', ...args]
  const options = { env: { ...env, RAMIFY_DATA_DIR: dataDir }, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, cli, options)
  return { status, out: stdout.trim().split('\n'), error: stderr.trim() }
}

describe('npm run db:rebuild', () => {
  test('prints each difference from the log, one line each, and corrects it', async () => {
    const [well, broken] = [newId(), newId()]
    const store = await DrizzleContextStore.open({ dataDir })
    for (const id of [well, broken]) await store.upsertChat({ id, userId: 'ada', title: 'Trip' })
    await followSome(store.database)
    await store.close()

    expect(rebuild()).toEqual({
      ...{ status: 0, error: '' },
      out: [expect.stringMatching(/^4 events of 2 chats in [\d.]+ s: 0 differences$/)],
    })

    const database = await openDatabase({ dataDir })
    await database.query('update chats set title = $2 where id = $1', [broken, 'two\nlines'])
    await database.close()

    const line = `chat ${broken}, the chat: its title is two lines, the log says Trip`
    const summary = (what: string) => expect.stringMatching(new RegExp(` s: 1 difference${what}$`))
    expect(rebuild('--chat', well, '--dry')).toMatchObject({ status: 0 })
    expect(rebuild('--dry')).toEqual({ status: 1, error: '', out: [line, summary('')] })
    expect(rebuild('--search')).toEqual({ status: 0, error: '', out: [line, summary(', set right')] })
    expect(rebuild('--dry')).toMatchObject({ status: 0 })

    expect(rebuild('--follower', 'usage')).toEqual({
      ...{ status: 0, error: '', out: ['usage has taken in 4 events again.'] },
    })
    expect(rebuild('--follower', 'missing')).toMatchObject({
      ...{ status: 1, error: 'There is no follower "missing", only usage, usage-days, titles.' },
    })
    expect(rebuild('--follower', 'usage', '--dry')).toMatchObject({
      ...{ status: 1, error: expect.stringContaining('--follower goes alone') },
    })
    expect(rebuild('--chat', 'nowhere')).toMatchObject({ status: 1, error: 'There is no chat "nowhere".' })
  }, 120_000)
})
