// The package of `npm run pack`, of the build that is there, in a folder with nothing else.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '@/testing/machines/free-port'
import { tieGroup } from '@/testing/machines/tie-group'
import { repoRoot } from '@/testing/runner/repo-root'

const execute = promisify(execFile)
const MOST_BYTES = 120_000_000

/** It takes a minute: the long run has it. */
describe.runIf(process.env.RAMIFY_TEST_LONG)('the package', () => {
  let folder: string
  let bytes: number
  const command = () => path.join(folder, 'package/app/lib/cli/ramify.mjs')
  const env = () => ({
    NODE_ENV: 'production' as const,
    HOME: folder,
    XDG_DATA_HOME: path.join(folder, 'data'),
    RAMIFY_LOCAL_MODELS: 'off',
    NO_COLOR: '1',
  })
  const ramify = (...words: string[]) =>
    execute(process.execPath, [command(), ...words], { cwd: folder, env: env() })

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'ramify-packed-'))
    mkdirSync(path.join(folder, 'tarball'))
    await execute(process.execPath, ['lib/runtime/cli/pack.mjs', path.join(folder, 'tarball')], {
      cwd: repoRoot,
    })
    const { version } = await import('@/package.json')
    const tarball = path.join(folder, 'tarball', `ramify-${version}.tgz`)
    bytes = statSync(tarball).size
    await execute('tar', ['-xzf', tarball, '-C', folder])
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Starts the app, and resolves when it says that it is ready. */
  async function start(port: number) {
    const child = spawn(process.execPath, [command(), '--port', String(port)], {
      cwd: folder,
      env: env(),
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const untie = tieGroup(child.pid ?? 0)
    const ended = once(child, 'exit').then(([code]) => {
      untie()
      return code
    })
    const lines: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line)
      if (line.includes('ready on')) break
    }
    const stop = () => {
      child.kill('SIGINT')
      return ended
    }
    return { lines, stop }
  }

  it('given the tarball, then it is small enough to fetch at once', () => {
    expect(bytes).toBeLessThan(MOST_BYTES)
  })

  it('given an empty folder, when the app is started, asked, stopped and started again, then it serves, and keeps what was said', async () => {
    const port = await freePort()
    const origin = `http://localhost:${port}`
    const first = await start(port)
    expect(first.lines[0]).toBe(`Ramify keeps its data in ${path.join(folder, 'data/ramify')}`)
    const page = await fetch(origin)
    expect(page.status).toBe(200)
    const [script] = /\/_next\/static\/[^"]+\.js/.exec(await page.text()) ?? []
    expect((await fetch(`${origin}${script}`)).status).toBe(200)
    expect((await fetch(`${origin}/docs/install`)).status).toBe(200)

    // a second start opens the one that runs
    expect((await ramify()).stdout.split('\n')[1]).toBe(`Ramify is running already, at ${origin}`)
    expect((await ramify('chat', 'My name is Ada.')).stdout).toContain('Ada')
    expect(await first.stop()).toBe(130)

    const second = await start(port)
    expect((await fetch(origin)).status).toBe(200)
    expect((await ramify('log', '--oneline')).stdout).toContain('My name is Ada.')
    await second.stop()
    // the commands work on the same folder without the app
    expect((await ramify('log', '--oneline')).stdout).toContain('My name is Ada.')
  }, 300_000)
})
