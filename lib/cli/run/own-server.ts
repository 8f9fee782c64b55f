import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { serverOf } from '@/lib/runtime/folder-control'
import { CommandError } from '../errors'
import { stateFolder } from '../refs/heads'
import type { World } from '../terminal'

type Env = Readonly<Record<string, string | undefined>>

/** A server may take so long to answer, and so long lies between two looks, in ms. A development server compiles first. */
const [PATIENCE, LOOK] = [120_000, 200]
/** Lines of its log that are shown when it does not start. */
const LAST_LINES = 8

/** A server that this machine asks. */
export interface OwnServer {
  /** without a slash at its end */
  origin: string
  /** the data folder, or the database, by a name that stays */
  place: string
  /** ends the use of it: the last one stops a server that a run has started, unless it is kept */
  leave(): Promise<void>
}

/**
 * The server that has the data folder open, else a new one. A server that a run has started serves all runs
 * until the last of them ends.
 *
 * @param env the settings of Ramify; `callerEnv` without those of files, which a server reads itself
 * @throws CommandError when it does not start, in the words of its log; when a database is set and no server
 * answers
 */
export async function ownServer(
  { env, callerEnv = env, onInterrupt }: Pick<World, 'env' | 'callerEnv' | 'onInterrupt'>,
  { keep, tell }: { keep: boolean; tell(line: string): void },
): Promise<OwnServer> {
  const dataDir = env.RAMIFY_DATA_DIR || '.data'
  const place = env.DATABASE_URL ? defaultAddress(env) : path.resolve(dataDir)
  const running = await answering(env.DATABASE_URL ? defaultAddress(env) : serverOf(dataDir))
  const users = new RunFolder(env, dataDir)
  if (running !== undefined) return { origin: running, place, leave: users.enter(keep) }
  if (env.DATABASE_URL) {
    throw new CommandError(
      `No server answers at ${defaultAddress(env)}. Start one with npm start, or name it with --server or RAMIFY_SERVER.`,
    )
  }
  tell('Ramify: starting a server…')
  const leave = users.enter(keep)
  const port = await freePort(Number(env.PORT || 3000))
  const server = start(port, callerEnv, users.logFile)
  let isStopped = false
  const stopListening = onInterrupt(() => {
    isStopped = true
  })
  try {
    const origin = await started(server, { dataDir, users, isStopped: () => isStopped })
    if (isRunning(server) && !keep) users.keepServer(server.pid ?? 0)
    return { origin, place, leave }
  } catch (error) {
    await leave()
    if (isRunning(server)) signalGroup(server.pid ?? 0)
    throw error
  } finally {
    stopListening()
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null

const defaultAddress = ({ PORT }: Env): string => `http://localhost:${PORT || 3000}`

/** An address if a server of Ramify answers there. */
export async function answering(origin: string | undefined): Promise<string | undefined> {
  if (origin === undefined) return undefined
  try {
    const response = await fetch(`${origin}/api/health`)
    return response.headers.get('content-type')?.includes('json') ? origin : undefined
  } catch {
    // a server that has died leaves its address in the folder
    return undefined
  }
}

/** A port that nothing listens on: the wished one if it is free. */
export async function freePort(wished: number): Promise<number> {
  for (const port of [wished, 0]) {
    const probe = createServer()
    try {
      probe.listen(port, '127.0.0.1')
      await once(probe, 'listening')
      const address = probe.address()
      return typeof address === 'object' && address !== null ? address.port : wished
    } catch (error) {
      if (port === 0) throw error
    } finally {
      probe.close()
    }
  }
  return wished
}

/** A server as a process group of its own, so that Ctrl-C in this terminal is the command's alone. */
function start(port: number, callerEnv: Env, log: string): ChildProcess {
  // the command line has changed to the folder of the package
  const root = process.cwd()
  const isBuilt = existsSync(path.join(root, '.next', 'BUILD_ID'))
  const node = path.join(root, 'node_modules', 'node', 'bin', 'node')
  const output = openSync(log, 'w', 0o600)
  const words = [path.join(root, 'lib', 'runtime', 'cli', 'run.mjs'), 'serve', ...(isBuilt ? [] : ['--dev'])]
  const env: Record<string, string | undefined> = { ...callerEnv, PORT: String(port) }
  for (const name of ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL']) {
    // a shell that is set for clients of Ramify would have the server ask itself
    const url = URL.parse(env[name] ?? '')
    if (url && url.port === String(port) && ['localhost', '127.0.0.1'].includes(url.hostname))
      delete env[name]
  }
  return spawn(existsSync(node) ? node : process.execPath, words, {
    cwd: root,
    env: env as NodeJS.ProcessEnv,
    detached: true,
    stdio: ['ignore', output, output],
  })
}

async function started(
  server: ChildProcess,
  { dataDir, users, isStopped }: { dataDir: string; users: RunFolder; isStopped(): boolean },
): Promise<string> {
  const until = Date.now() + PATIENCE
  // another run may be starting one, which has the folder then
  while ((isRunning(server) || users.others() > 0) && Date.now() < until) {
    if (isStopped()) throw new CommandError('Stopped before the server was ready.')
    const origin = await answering(serverOf(dataDir))
    if (origin !== undefined) {
      server.unref()
      return origin
    }
    await sleep(LOOK)
  }
  const last = readFileSync(users.logFile, 'utf8').trimEnd().split('\n').slice(-LAST_LINES).join('\n  ')
  throw new CommandError(`The server did not start. ${users.logFile} says:\n  ${last}`)
}

const startedServer = z.object({ pid: z.int(), instance: z.string() })

/** The runs that use a data folder's server, each a file that is named by its process, and the server that one has started. */
class RunFolder {
  readonly #folder: string

  constructor(
    env: Env,
    private readonly dataDir: string,
  ) {
    const name = createHash('sha256').update(path.resolve(dataDir)).digest('hex').slice(0, 16)
    this.#folder = path.join(stateFolder(env), 'runs', name)
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
  }

  get logFile(): string {
    return path.join(this.#folder, 'server.log')
  }

  get #server(): string {
    return path.join(this.#folder, 'server.json')
  }

  /** Has the last run stop a server. */
  keepServer(pid: number): void {
    const instance = this.#instance() ?? ''
    writeFileSync(this.#server, JSON.stringify({ pid, instance }), { mode: 0o600 })
  }

  /** This process uses the server from now on, until the returned function is called. */
  enter(keep: boolean): () => Promise<void> {
    const own = path.join(this.#folder, `${process.pid}.run`)
    writeFileSync(own, '')
    // a server that is kept is no run's to stop
    if (keep) rmSync(this.#server, { force: true })
    return async () => {
      rmSync(own, { force: true })
      if (this.others() === 0) await this.#stopServer()
    }
  }

  /** The number of other runs that use the server. */
  others(): number {
    return readdirSync(this.#folder).filter((name) => {
      const pid = Number(/^(\d+)\.run$/.exec(name)?.[1])
      if (Number.isNaN(pid) || pid === process.pid) return false
      if (isAlive(pid)) return true
      rmSync(path.join(this.#folder, name), { force: true })
      return false
    }).length
  }

  async #stopServer(): Promise<void> {
    if (!existsSync(this.#server)) return
    const { pid, instance } = startedServer.parse(JSON.parse(readFileSync(this.#server, 'utf8')))
    rmSync(this.#server, { force: true })
    // after a crash the number may be another program's: only the server that has the folder now is stopped
    if (instance !== this.#instance() || (await answering(serverOf(this.dataDir))) === undefined) return
    signalGroup(pid)
    const until = Date.now() + PATIENCE / 4
    while (isAlive(pid) && Date.now() < until) await sleep(LOOK)
  }

  /** Names the server that has the folder: each writes another secret there. */
  #instance(): string | undefined {
    const file = path.join(this.dataDir, 'control.json')
    if (!existsSync(file)) return undefined
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Asks a server and its child processes to end; the server stores its work under way first. */
function signalGroup(pid: number): void {
  if (pid > 0 && isAlive(pid)) process.kill(-pid, 'SIGTERM')
}
