import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { makePrivateFile, makePrivateFolder } from '@/lib/db'
import { type Env, EnvError } from './env'

/** Characters of the shortest secret, as for `BETTER_AUTH_SECRET`. */
const SHORTEST = 32

const secretFile = ({ RAMIFY_DATA_DIR }: Pick<Env, 'RAMIFY_DATA_DIR'>): string =>
  path.join(RAMIFY_DATA_DIR, 'auth-secret')

/**
 * The server's secret, which signs sessions and seals the keys of model providers: from the operator, or on a laptop created
 * once and kept in the data folder. Two processes that start at once get the same one, and a full disk or the end of a
 * process leaves all of it or nothing.
 *
 * @throws EnvError for a stored secret that is too short to protect anything
 */
export function authSecret(env: Pick<Env, 'BETTER_AUTH_SECRET' | 'RAMIFY_DATA_DIR'>): string {
  if (env.BETTER_AUTH_SECRET) return env.BETTER_AUTH_SECRET
  const file = secretFile(env)
  makePrivateFolder(env.RAMIFY_DATA_DIR)
  if (!existsSync(file)) create(file)
  makePrivateFile(file)
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < SHORTEST) {
    throw new EnvError(
      `${file} holds no secret of ${SHORTEST} characters or more: restore it, set BETTER_AUTH_SECRET, or delete the file for a new one (people sign in again, and save their provider keys again)`,
    )
  }
  return secret
}

/**
 * A mark that tells two secrets apart without revealing either; undefined without a secret. Makes no secret.
 */
export function secretMark(env: Pick<Env, 'BETTER_AUTH_SECRET' | 'RAMIFY_DATA_DIR'>): string | undefined {
  if (!env.BETTER_AUTH_SECRET && !existsSync(secretFile(env))) return undefined
  return createHmac('sha256', authSecret(env)).update('ramify backup').digest('hex').slice(0, 16)
}

/** Makes the file with a new secret, unless another process is faster. */
function create(file: string): void {
  const draft = `${file}.${randomUUID()}`
  try {
    const opened = openSync(/* turbopackIgnore: true */ draft, 'wx', 0o600)
    try {
      writeFileSync(opened, randomBytes(32).toString('base64url'))
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
    publish(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Gives a written draft its name, unless a file has it already. */
function publish(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (!withoutLinks.has(code)) throw error
    // a rename would replace another process's new file: the time between is as short as it can be
    if (!existsSync(file)) renameSync(draft, file)
  }
}

/** Errors of file systems without hard links, such as exFAT. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])
