import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port'
import { answers } from './postgres-cluster'

export type PgBouncer = { url: string; stop: () => Promise<void> }
export type StartPgBouncerOptions = {
  /** Connections to each database at most, however many clients there are. Few, so that clients change theirs often. */
  poolSize?: number
}

/**
 * A throwaway PgBouncer in transaction mode before the server of `databaseUrl`. The returned `url` is that database
 * through the pooler; the server's other databases are reached by putting their name in its place.
 *
 * It is as strict as it comes: it refuses startup parameters it does not know, and version 1.18 keeps no prepared
 * statements. `stop` ends it and removes its folder, and so does any end of this process.
 * Where PgBouncer is not installed the answer is `{ skipped }` and a loud notice.
 */
export async function startPgBouncer(
  databaseUrl: string,
  { poolSize = 4 }: StartPgBouncerOptions = {},
): Promise<PgBouncer | { skipped: string }> {
  const program = findPgBouncer()
  if (program === null) return skip('PgBouncer was not found in /usr/sbin or on the PATH')
  return start(program, databaseUrl, poolSize)
}

/** Where the program is; null when it is not installed. */
export function findPgBouncer(): string | null {
  if (process.platform === 'win32') return null
  // /usr/sbin, where Debian puts it, is not on the PATH of people who are not root
  const folders = ['/usr/sbin', ...(process.env.PATH ?? '').split(path.delimiter).filter(Boolean)]
  return folders.map((folder) => path.join(folder, 'pgbouncer')).find((file) => existsSync(file)) ?? null
}

function skip(reason: string): { skipped: string } {
  const advice = `${reason}. Install it (Debian: apt-get install pgbouncer).`
  const bar = '!'.repeat(78)
  console.warn(`\n${bar}\n!! TESTS BEHIND A POOLER SKIPPED: ${advice}\n${bar}\n`)
  return { skipped: reason }
}

async function start(
  program: string,
  databaseUrl: string,
  poolSize: number,
  attempts = 3,
): Promise<PgBouncer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-pgbouncer-'))
  const port = await freePort()
  const settings = path.join(folder, 'pgbouncer.ini')
  // it holds the server's password
  writeFileSync(settings, settingsFor(new URL(databaseUrl), port, poolSize), { mode: 0o600 })
  const { stop, ended, output } = run([program, ...asSomebody(), settings], folder)

  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  url.password = ''
  const deadline = Date.now() + 15_000
  while (!ended() && Date.now() < deadline) {
    if (await answers(url.href)) return { url: url.href, stop }
    await sleep(20)
  }
  const text = output()
  const portTaken = ended() && text.includes('cannot listen')
  await stop()
  if (portTaken && attempts > 1) return start(program, databaseUrl, poolSize, attempts - 1)
  throw new Error(`PgBouncer did not start:\n${text}`)
}

/** PgBouncer refuses to run as root, and runs as the user it is given: `postgres`, or `nobody`. */
function asSomebody(): string[] {
  if (process.getuid?.() !== 0) return []
  return ['-u', spawnSync('id', ['-u', 'postgres']).status === 0 ? 'postgres' : 'nobody']
}

function settingsFor(server: URL, port: number, poolSize: number): string {
  const login = {
    host: server.hostname,
    port: server.port || '5432',
    user: decodeURIComponent(server.username),
    ...(server.password ? { password: decodeURIComponent(server.password) } : {}),
  }
  const target = Object.entries(login).map(([name, value]) => `${name}='${value.replaceAll("'", "''")}'`)
  return [
    '[databases]',
    `* = ${target.join(' ')}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    // trusts every client and logs in to the server as the user above: a list of users is not needed
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 500',
    '',
  ].join('\n')
}

/**
 * Runs the program and waits for the end of its own input, which comes when this process closes it or dies by any
 * signal. Then it ends the program at once (nothing in it is worth an orderly end) and removes the folder. A program
 * that has ended by itself leaves a file that says so.
 */
const script = `
folder="$1"; shift
exec 3<&0
"$@" 3<&- &
program=$!
{ cat <&3 >/dev/null; [ -e "$folder/ended" ] || kill -KILL "$program"; } &
wait "$program"
: >"$folder/ended"
wait
rm -rf "$folder"
`

function run(command: string[], folder: string) {
  const logFile = path.join(folder, 'log')
  const log = openSync(logFile, 'w')
  const shell = spawn('/bin/sh', ['-c', script, 'pgbouncer-keeper', folder, ...command], {
    // Its own group: a signal to this process's group does not end it first.
    detached: true,
    stdio: ['pipe', log, log],
  })
  closeSync(log)
  let failed = false
  const closed = new Promise<void>((resolve) => {
    shell.once('exit', () => resolve())
    shell.once('error', () => {
      failed = true
      resolve()
    })
  })
  // A pooler that is still running must not keep this process alive.
  shell.unref()
  if (shell.stdin instanceof Socket) shell.stdin.unref()
  return {
    ended: () => failed || existsSync(path.join(folder, 'ended')),
    output: () => readFileSync(logFile, 'utf8'),
    /** May be repeated. */
    stop: async () => {
      shell.ref()
      shell.stdin?.end()
      await closed
    },
  }
}
