import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makePrivateFile, makePrivateFolder } from '@/lib/db'
import type { Env } from './env'

/** The secret that signs sessions: given by the operator, or on a laptop made once and kept in the data folder. */
export function authSecret(env: Env): string {
  if (env.BETTER_AUTH_SECRET) return env.BETTER_AUTH_SECRET
  const file = path.join(env.RAMIFY_DATA_DIR, 'auth-secret')
  makePrivateFolder(env.RAMIFY_DATA_DIR)
  if (existsSync(file)) {
    makePrivateFile(file)
    return readFileSync(file, 'utf8').trim()
  }
  const secret = randomBytes(32).toString('base64url')
  writeFileSync(file, secret, { mode: 0o600 })
  return secret
}
