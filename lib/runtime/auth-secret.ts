import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makePrivateFile, makePrivateFolder } from '@/lib/db'
import type { Env } from './env'

/**
 * The server's secret, which signs sessions and seals the keys of model providers: from the operator, or on a laptop created
 * once and kept in the data folder. Two processes that start at once get the same one.
 */
export function authSecret(env: Pick<Env, 'BETTER_AUTH_SECRET' | 'RAMIFY_DATA_DIR'>): string {
  if (env.BETTER_AUTH_SECRET) return env.BETTER_AUTH_SECRET
  const file = path.join(env.RAMIFY_DATA_DIR, 'auth-secret')
  makePrivateFolder(env.RAMIFY_DATA_DIR)
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    makePrivateFile(file)
  }
  return readFileSync(file, 'utf8').trim()
}
