import { spawnSync } from 'node:child_process'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '@/lib/db'
import { newId } from '@/lib/events'
import { DrizzleContextStore } from '@/lib/store'
import { pgliteFolder } from '@/testing/worlds/open-stores'

const { dataDir, remove } = pgliteFolder()
afterAll(remove)

/** `npm run db:check` with these arguments. */
function check(...args: string[]) {
  const { DATABASE_URL: _served, ...env } = process.env
  const cli = ['lib/runtime/cli/run.mjs', 'db-check', ...args]
  const options = { env: { ...env, RAMIFY_DATA_DIR: dataDir }, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, cli, options)
  return { status, out: stdout.trim().split('\n'), error: stderr.trim() }
}

describe('npm run db:check', () => {
  test('prints the number of good chats; then each broken invariant, one line each, and fails', async () => {
    const [well, broken] = [newId(), newId()]
    const store = await DrizzleContextStore.open({ dataDir })
    for (const id of [well, broken]) await store.upsertChat({ id, userId: 'ada', title: 'Trip' })
    await store.close()

    expect(check()).toEqual({ status: 0, out: ['0 problems in 2 chats'], error: '' })

    const database = await openDatabase({ dataDir })
    await database.query('update chats set title = $2 where id = $1', [broken, 'two\nlines'])
    await database.query('update branches set archived_at = now() where chat_id = $1', [broken])
    await database.close()

    const all = check()
    expect(all).toMatchObject({ status: 1, error: '2 problems in 2 chats' })
    expect(all.out).toEqual([
      expect.stringMatching(`chat ${broken}, branch main: .+ \\[archive-follows-log\\]`),
      expect.stringMatching(`chat ${broken}, the chat: its title is two lines, .+ \\[title-follows-log\\]`),
    ])
    expect(check('--chat', well)).toMatchObject({ status: 0, out: ['0 problems in 1 chat'] })
    expect(check('--chat', broken)).toMatchObject({ status: 1, out: all.out })
    expect(check('--chat', 'nowhere')).toMatchObject({ status: 1, error: 'There is no chat "nowhere".' })
  })
})
