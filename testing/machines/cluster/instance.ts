import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { repoRoot } from '@/testing/runner/repo-root'
import { tieGroup } from './tie-group'

const serve = path.join(repoRoot, 'lib/runtime/cli/serve.ts')
const STARTS_WITHIN_MS = 60_000
const ENDS_WITHIN_MS = 5_000

/** One `npm start` of the build in this checkout, always on the same port, also when it is started again. */
export class Instance {
  readonly url: string
  readonly #command: string[]
  #process: ChildProcess | undefined

  /**
   * @param options.env everything the process shall have in its environment
   * @param options.logFile where its output goes; a restart adds to it
   */
  constructor(
    port: number,
    readonly options: { env: NodeJS.ProcessEnv; logFile: string },
  ) {
    this.url = `http://127.0.0.1:${port}`
    this.#command = [serve, '-H', '127.0.0.1', '-p', String(port)]
  }

  /** The number of the process that runs now; undefined before the first start and after the end. */
  get pid(): number | undefined {
    return this.#runs() ? this.#process?.pid : undefined
  }

  /** Resolves when `/api/health` answers. Throws, with the output, when the process ends or stays silent. */
  async start(): Promise<void> {
    await this.kill('SIGKILL')
    const { env, logFile } = this.options
    const log = openSync(logFile, 'a')
    const server = spawn(process.execPath, this.#command, {
      cwd: repoRoot,
      env,
      // Its own group: a Ctrl-C in the terminal does not reach it, and its children end with it.
      detached: true,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    this.#process = server
    if (server.pid !== undefined) server.once('exit', tieGroup(server.pid))
    const deadline = Date.now() + STARTS_WITHIN_MS
    while (this.#runs() && Date.now() < deadline) {
      if (await isHealthy(this.url)) return
      await sleep(100)
    }
    await this.kill('SIGKILL')
    throw new Error(`${this.url} did not start:\n${readFileSync(logFile, 'utf8')}`)
  }

  /**
   * Sends a signal to the process and to everything it has started. Resolves when the process has ended, or at once for
   * a signal that only stops it or lets it go on. Does nothing when it does not run.
   */
  async kill(signal: NodeJS.Signals): Promise<void> {
    const server = this.#process
    if (!server?.pid || !this.#runs()) return
    const ended = once(server, 'exit')
    signalGroup(server.pid, signal)
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await ended
  }

  /** Ends it: by SIGTERM, after five seconds by SIGKILL. */
  async stop(): Promise<void> {
    const insist = setTimeout(() => void this.kill('SIGKILL'), ENDS_WITHIN_MS)
    // a frozen process does not receive SIGTERM
    await this.kill('SIGCONT')
    await this.kill('SIGTERM')
    clearTimeout(insist)
    // children it may have left
    if (this.#process?.pid) signalGroup(this.#process.pid, 'SIGKILL')
  }

  #runs(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null
  }
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal)
  } catch {
    // it has ended by itself
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    return false
  }
}
