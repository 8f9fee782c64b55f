import { execFile, execFileSync, spawn } from 'node:child_process'
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { watchCluster } from './cluster-watchdog'
import { findPostgres } from './find-postgres'
import { freePort } from './free-port'

export type PostgresServer = {
  url: string
  stop: () => Promise<void>
  /** Ends it as a crash does, and starts it again at the same url after `meanwhile`; only of clusters started here. */
  restart?: (meanwhile?: () => Promise<unknown>) => Promise<void>
}
export type StartPostgresOptions = {
  /** A throwaway cluster even where `TEST_DATABASE_URL` names a server: for faults that other tests must not notice. */
  own?: boolean
  /** Keep fsync and full page writes on, as production does: for benchmarks. Tests go faster without. */
  durable?: boolean
}

/**
 * A real PostgreSQL to test against: the one `TEST_DATABASE_URL` names, otherwise a throwaway cluster on
 * a free port of 127.0.0.1. The url belongs to a superuser; give every test its own `createDatabase(url)`.
 *
 * `stop` ends the cluster and removes its folder, and so does any end of this process.
 * Where no PostgreSQL is installed the answer is `{ skipped }` and a loud notice; with `CI` set, an error.
 */
export async function startPostgres(
  options: StartPostgresOptions = {},
): Promise<PostgresServer | { skipped: string }> {
  const given = process.env.TEST_DATABASE_URL
  if (given && !options.own) return { url: given, stop: async () => undefined }
  const bin = process.platform === 'win32' ? null : findPostgres()
  if (bin === null) return skip('no PostgreSQL server programs (initdb, postgres) were found')
  return startCluster(bin, options)
}

function skip(reason: string): { skipped: string } {
  const advice = `${reason}. Install PostgreSQL 15 or newer, or set TEST_DATABASE_URL.`
  if (process.env.CI) throw new Error(`The Postgres tests cannot run: ${advice}`)
  const bar = '!'.repeat(78)
  console.warn(`\n${bar}\n!! POSTGRES TESTS SKIPPED: ${advice}\n${bar}\n`)
  return { skipped: reason }
}

type Identity = { uid: number; gid: number } | undefined

async function startCluster(bin: string, { durable = false }: StartPostgresOptions): Promise<PostgresServer> {
  const identity = serverIdentity()
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-pg-'))
  const stop = watchCluster(folder)
  try {
    if (identity) chownSync(folder, identity.uid, identity.gid)
    await promisify(execFile)(path.join(bin, 'initdb'), initdbArguments(folder), { ...identity, cwd: folder })
    const speed = durable ? [] : ['fsync=off', 'full_page_writes=off']
    const url = await serve(bin, folder, speed, identity)
    const control = async (...command: string[]) => {
      const where = ['-D', path.join(folder, 'data'), '-l', path.join(folder, 'restarted.log')]
      await promisify(execFile)(path.join(bin, 'pg_ctl'), [...command, '-w', '-s', ...where], {
        ...identity,
        cwd: folder,
      })
    }
    // as it was started, on the same port
    const settings = readFileSync(path.join(folder, 'data/postmaster.opts'), 'utf8')
    const restart = async (meanwhile?: () => Promise<unknown>) => {
      if (!meanwhile) return control('restart', '-m', 'immediate')
      await control('stop', '-m', 'immediate')
      await meanwhile()
      return control('start', '-o', optionsOf(settings))
    }
    return { url, stop, restart }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The options a server was started with: the rest of its `postmaster.opts` after the program and its `-D`. */
const optionsOf = (settings: string): string => settings.replace(/^.*?"-D" "[^"]*" /, '').trim()

/** PostgreSQL refuses to run as root: root lends it to the `postgres` user, or to `nobody`. */
function serverIdentity(): Identity {
  if (process.getuid?.() !== 0) return undefined
  const id = (user: string, flag: string) =>
    Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: 'pipe' }))
  try {
    return { uid: id('postgres', '-u'), gid: id('postgres', '-g') }
  } catch {
    return { uid: id('nobody', '-u'), gid: id('nobody', '-g') }
  }
}

function initdbArguments(folder: string): string[] {
  // A UTF-8 locale, as hosted databases have: under plain "C" case folding would stop at ASCII.
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'
  const plain = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync', '--no-instructions']
  return [`--pgdata=${path.join(folder, 'data')}`, `--locale=${locale}`, ...plain]
}

/** Runs the server and resolves with its url once it answers. */
async function serve(
  bin: string,
  folder: string,
  extra: string[],
  identity: Identity,
  attempts = 3,
): Promise<string> {
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    'max_connections=200',
    'timezone=UTC',
    ...extra,
  ]
  const logFile = path.join(folder, 'server.log')
  const log = openSync(logFile, 'w')
  const server = spawn(
    path.join(bin, 'postgres'),
    ['-D', path.join(folder, 'data'), ...settings.flatMap((setting) => ['-c', setting])],
    // Its own group: a Ctrl-C in the terminal reaches this process, which stops the server in order.
    { ...identity, cwd: folder, detached: true, stdio: ['ignore', log, log] },
  )
  closeSync(log)
  server.unref()
  let running = true
  for (const event of ['exit', 'error']) server.once(event, () => (running = false))

  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const deadline = Date.now() + 30_000
  while (running && Date.now() < deadline) {
    if (await answers(url)) return url
    await sleep(50)
  }
  const output = readFileSync(logFile, 'utf8')
  // Another process took the port between the question and the answer.
  if (!running && attempts > 1 && output.includes('could not bind')) {
    return serve(bin, folder, extra, identity, attempts - 1)
  }
  throw new Error(`PostgreSQL did not start:\n${output}`)
}

/** Whether a server, or a pooler before it, answers. */
export async function answers(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, prepare: false, connect_timeout: 2, onnotice: () => undefined })
  try {
    await sql`select 1`
    return true
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}
