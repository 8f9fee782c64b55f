import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { AppServer } from '@/testing/machines/app-server'
import { e2eServers } from '@/testing/machines/e2e-servers'
import { freePort } from '@/testing/machines/free-port'
import { copyTemplate } from '@/testing/machines/templates'
import { repoRoot } from '@/testing/runner/repo-root'
import { sendTurn, signIn, userMessage } from '../support/openings'
import { expect, test } from '../support/test'

// A backup is written while the server answers, and another server goes on with it.

const run = promisify(execFile)

test('given a server that runs, when its database is backed up and restored elsewhere, then a server there shows the chat', async ({
  chat,
}, { project }) => {
  // three programs of their own are started, one after the other
  test.slow()
  // given a chat, and turns that go on
  const { page } = chat
  const chatId = randomUUID()
  await signIn(page.request)
  await sendTurn(page.request, chatId, userMessage('before the backup'))
  const server = (await e2eServers()).find(({ name }) => name === project.name)
  if (!server) throw new Error('the server of this project is missing')
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-e2e-backup-'))
  const file = path.join(folder, 'ramify.backup')
  const command = (name: string, env: object) =>
    run(process.execPath, ['lib/runtime/cli/run.mjs', `db-${name}`, file], {
      cwd: repoRoot,
      env: { ...process.env, ...server.env, ...env, NODE_ENV: 'production' },
    })

  // when
  const backup = command('backup', {})
  await sendTurn(page.request, randomUUID(), userMessage('meanwhile'))
  expect((await backup).stdout).toMatch(/^Wrote .+\.backup: \d+ chats?, /)
  const elsewhere = { DATABASE_URL: '', RAMIFY_DATA_DIR: path.join(folder, 'data') }
  copyTemplate('bare', elsewhere.RAMIFY_DATA_DIR)
  expect((await command('restore', elsewhere)).stdout).toContain('0 problems found by db:check')

  // then the guest's cookie is good there, too
  const port = await freePort()
  const other = new AppServer(port, { ...process.env, ...server.env, ...elsewhere, PORT: String(port) })
  await other.start()
  await page.goto(`${other.url}/c/${chatId}`)
  await expect(page.getByRole('article').filter({ hasText: 'before the backup' }).first()).toBeVisible()
  // a page whose server is gone says so
  await page.goto('about:blank')
  await other.stop()
  rmSync(folder, { recursive: true, force: true })
})
