import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { authSecret } from '@/lib/runtime/auth-secret'
import { EnvError } from '@/lib/runtime/env'

/** What the disk answers instead of doing it; `faster` happens just before. */
const disk = vi.hoisted(() => ({
  link: undefined as string | undefined,
  write: undefined as string | undefined,
  faster: (): void => undefined,
}))
// a disk that refuses cannot be had otherwise
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const refuse = (code: string | undefined) => {
    if (code) throw Object.assign(new Error(code), { code })
  }
  const linkSync: typeof fs.linkSync = (...given) => {
    disk.faster()
    refuse(disk.link)
    fs.linkSync(...given)
  }
  const writeFileSync: typeof fs.writeFileSync = (...given) => {
    refuse(disk.write)
    fs.writeFileSync(...given)
  }
  return { ...fs, linkSync, writeFileSync, default: { ...fs, linkSync, writeFileSync } }
})

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ramify-secret-'))
  Object.assign(disk, { link: undefined, write: undefined, faster: () => undefined })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const secret = () => authSecret({ RAMIFY_DATA_DIR: folder })
const file = () => path.join(folder, 'auth-secret')

it('given an empty folder, then one is made, for its owner only, and stays the same', () => {
  const made = secret()
  expect(made).toMatch(/^[\w-]{43}$/)
  expect(secret()).toBe(made)
  expect(readdirSync(folder)).toEqual(['auth-secret'])
  expect(statSync(file()).mode & 0o777).toBe(0o600)
})

it('given the operator’s secret, then it is that one, and no file is made', () => {
  const BETTER_AUTH_SECRET = 'x'.repeat(32)
  expect(authSecret({ BETTER_AUTH_SECRET, RAMIFY_DATA_DIR: folder })).toBe(BETTER_AUTH_SECRET)
  expect(readdirSync(folder)).toEqual([])
})

it.each(['', '\n', 'x'.repeat(31)])('given a file of %j, then it is refused in words and stays', (text) => {
  writeFileSync(file(), text)
  expect(secret).toThrow(EnvError)
  expect(secret).toThrow(/auth-secret holds no secret of 32 characters[^\n]*BETTER_AUTH_SECRET[^\n]*$/)
  expect(readFileSync(file(), 'utf8')).toBe(text)
})

it('given a full disk, then nothing is left behind, and the next start makes the secret', () => {
  disk.write = 'ENOSPC'
  expect(secret).toThrow('ENOSPC')
  expect(readdirSync(folder)).toEqual([])
  disk.write = undefined
  expect(secret()).toHaveLength(43)
})

it('given a disk without links, then one is made all the same; given one that fails, then that is said', () => {
  disk.link = 'EIO'
  expect(secret).toThrow('EIO')
  expect(readdirSync(folder)).toEqual([])
  disk.link = 'EPERM'
  const made = secret()
  expect(made).toHaveLength(43)
  expect(secret()).toBe(made)
  expect(readdirSync(folder)).toEqual(['auth-secret'])
})

it.each(['EEXIST', 'EPERM'])(
  'given another process that makes the secret a moment before, on a disk that answers %s, then it is taken',
  (code) => {
    const faster = 'y'.repeat(43)
    disk.link = code
    disk.faster = () => writeFileSync(file(), faster)
    expect(secret()).toBe(faster)
    expect(readdirSync(folder)).toEqual(['auth-secret'])
  },
)
