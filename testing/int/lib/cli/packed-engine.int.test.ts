// The packages of `npm run pack:engine`, and the examples on them, in a folder with nothing else.

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { repoRoot } from '@/testing/runner/repo-root'

const execute = promisify(execFile)
const examples = readdirSync(path.join(repoRoot, 'examples'))

/** It installs from the registry, which takes minutes: the long run has it. */
describe.runIf(process.env.RAMIFY_TEST_LONG)('the packages of the engine', () => {
  let folder: string
  let offline: unknown

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'ramify-engine-'))
    offline = await execute('npm', ['ping'], { cwd: folder }).then(
      () => undefined,
      (error) => error,
    )
    if (offline) return
    await execute(process.execPath, ['lib/runtime/cli/pack-engine.mjs', folder], { cwd: repoRoot })
    cpSync(path.join(repoRoot, 'examples'), folder, {
      recursive: true,
      filter: (file) => path.basename(file) !== 'node_modules',
    })
    const tarballs = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
    const { version } = await import('@/package.json')
    const dependencies = Object.fromEntries(
      tarballs.map((file) => [
        file.replace('ramify-', '@ramify/').replace(`-${version}.tgz`, ''),
        `file:${file}`,
      ]),
    )
    writeFileSync(
      path.join(folder, 'package.json'),
      JSON.stringify({ private: true, workspaces: examples, dependencies }),
    )
    await execute('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
      cwd: folder,
    })
  }, 1_200_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.for(examples)(
    'the example "%s" passes its types and its tests',
    { timeout: 1_200_000 },
    async (example, { skip }) => {
      skip(offline !== undefined, 'the registry of npm cannot be reached')
      await execute('npm', ['test'], {
        cwd: path.join(folder, example),
        env: { ...process.env, CI: '1' },
      }).catch(({ stdout, stderr }) => {
        throw new Error(`${stdout}\n${stderr}`)
      })
    },
  )
})
