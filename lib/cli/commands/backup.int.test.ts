import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { repoRoot } from '@/testing/runner/repo-root'
import { pgliteFolder, postgresDatabase, postgresServer } from '@/testing/worlds/open-stores'

describe('a backup on the command line', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-backup-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Runs `ramify` in a folder of its own, as the package does. */
  const ramify = (place: Record<string, string>, ...words: string[]) =>
    promisify(execFile)(process.execPath, [path.join(repoRoot, 'lib/cli/ramify.mjs'), ...words], {
      cwd: folder,
      env: {
        ...process.env,
        HOME: folder,
        XDG_STATE_HOME: path.join(folder, 'state'),
        RAMIFY_DEFAULT_MODEL: 'demo:demo',
        RAMIFY_DEMO_DELAY_MS: '0',
        RAMIFY_LOCAL_MODELS: 'off',
        RAMIFY_TITLES: 'words',
        DATABASE_URL: '',
        ...place,
      },
    })

  it('given a chat in a data folder, when its backup is restored into a new folder and on Postgres, then both have the chat', async () => {
    const { dataDir, remove } = pgliteFolder()
    await ramify({ RAMIFY_DATA_DIR: dataDir }, 'chat', 'My name is Ada.')

    // when
    const wrote = await ramify({ RAMIFY_DATA_DIR: dataDir }, 'backup', 'ramify.backup')

    // then
    expect(wrote.stdout).toContain('ramify.backup: 1 chat, 2 messages, 0 files')
    const elsewhere = postgresServer() ? await postgresDatabase({ migrated: false }) : undefined
    const places: Record<string, string>[] = [
      { RAMIFY_DATA_DIR: path.join(folder, 'new') },
      ...(elsewhere ? [{ DATABASE_URL: elsewhere.url, RAMIFY_DATA_DIR: '' }] : []),
    ]
    for (const place of places) {
      const restored = await ramify(place, 'restore', 'ramify.backup')
      expect(restored.stdout).toMatch(/^Restored .*: 1 chat, 2 messages, 0 files/)
      expect(restored.stdout).toContain('0 problems found')
      expect((await ramify(place, 'chats')).stdout).toContain('Ada')
    }
    await elsewhere?.drop()
    remove()
    // each command is a process, which takes a second or two of a core
  }, 600_000)

  it('given another server is named, then it is refused, and nothing is read', async () => {
    const asked = ramify({ RAMIFY_DATA_DIR: folder }, 'backup', '--server', 'http://127.0.0.1:1', 'x.backup')
    await expect(asked).rejects.toMatchObject({ code: 2 })
  })
})
