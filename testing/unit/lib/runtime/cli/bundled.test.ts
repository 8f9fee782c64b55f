import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { repoRoot } from '@/testing/runner/repo-root'

let root: string
const write = (file: string, text: string) => writeFileSync(path.join(root, file), text)
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [path.join(root, 'lib/runtime/cli/run.mjs'), ...args])
const kept = () =>
  readdirSync(path.join(root, 'node_modules/.cache/ramify'), { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.mjs'))

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'ramify-bundled-'))
  mkdirSync(path.join(root, 'lib/runtime/cli'), { recursive: true })
  mkdirSync(path.join(root, 'node_modules'))
  for (const name of ['esbuild', '@esbuild', '@electric-sql', 'sharp'])
    symlinkSync(path.join(repoRoot, 'node_modules', name), path.join(root, 'node_modules', name))
  for (const name of ['run.mjs', 'bundled.mjs', 'bundle.mjs', 'build.mjs'])
    cpSync(path.join(repoRoot, 'lib/runtime/cli', name), path.join(root, 'lib/runtime/cli', name))
  write('package-lock.json', '{}')
  write('tsconfig.json', JSON.stringify({ compilerOptions: { paths: { '@/*': ['./*'] } } }))
  write('lib/greeting.ts', "export const greeting: string = 'Hello'")
  write(
    'lib/runtime/cli/greet.ts',
    "import { greeting } from '@/lib/greeting'\nexport const run = (folder: string) => console.log(greeting, process.argv.slice(2).join(' '), folder)",
  )
  for (const entry of [
    'lib/cli/start.ts',
    'lib/conversations/files/text/reader.ts',
    'lib/runtime/cli/make-blank.ts',
  ]) {
    mkdirSync(path.join(root, path.dirname(entry)), { recursive: true })
    write(entry, '')
  }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('given a command, when it is run twice, then it gets its arguments and the folder of the package, and one file is kept', async () => {
  const first = await run('greet', 'Ada', '--warmly')
  expect(first).toEqual({ stdout: `Hello Ada --warmly ${root}/\n`, stderr: '' })
  expect(kept()).toHaveLength(1)
  expect(await run('greet', 'Ada', '--warmly')).toEqual(first)
  expect(kept()).toHaveLength(1)
})

it('given a source that changes, when the command is run again, then it does what the source says, and the old file is gone', async () => {
  await run('greet')
  const [old] = kept()
  write('lib/greeting.ts', "export const greeting: string = 'Good evening'")
  expect((await run('greet')).stdout).toMatch(/^Good evening /)
  expect(kept()).toHaveLength(1)
  expect(kept()).not.toContain(old)
})

it('given a source with a mistake, when the command is run, then the error names its place, and nothing is kept', async () => {
  write('lib/greeting.ts', 'export const greeting = ')
  await expect(run('greet')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('lib/greeting.ts:1:'),
  })
  expect(kept()).toEqual([])
})

it('given the embedded database, when a command loads it, then it is that of the package', async () => {
  write(
    'lib/runtime/cli/greet.ts',
    "import { PGlite } from '@electric-sql/pglite'\nconsole.log(typeof PGlite.create)",
  )
  expect(await run('greet')).toEqual({ stdout: 'function\n', stderr: '' })
})

const build = () => promisify(execFile)(process.execPath, ['lib/runtime/cli/build.mjs'], { cwd: root })
/** As `npm prune --omit=dev` does. */
const removeCompiler = () => rmSync(path.join(root, 'node_modules/esbuild'))

it('given a build, when a command is run without the compiler, then it does what was built, and nothing more is made', async () => {
  await build()
  removeCompiler()
  expect((await run('greet', 'Ada')).stdout).toMatch(/^Hello Ada /)
  // a copy has other times than the build
  write('lib/greeting.ts', "export const greeting: string = 'Hello'")
  expect((await run('greet', 'Ada')).stdout).toMatch(/^Hello Ada /)
  expect(existsSync(path.join(root, 'node_modules/.cache'))).toBe(false)
})

it('given a build, when a source has changed and the compiler is there, then the command does what the source says', async () => {
  await build()
  write('lib/greeting.ts', "export const greeting: string = 'Good evening'")
  expect((await run('greet')).stdout).toMatch(/^Good evening /)
})

it('given no build and no compiler, when a command is run, then the error says what to run', async () => {
  removeCompiler()
  await expect(run('greet')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('run npm ci && npm run build'),
  })
})
