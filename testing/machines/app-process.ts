import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { repoRoot } from '@/testing/runner/repo-root'
import { tieGroup } from './tie-group'

const run = path.join(repoRoot, 'lib/runtime/cli/run.mjs')

/** A server, a worker or a command of the build in this checkout, started as an operator does. Ends with this process. */
export class AppProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  #output = ''
  #errors = ''
  #running = true

  private constructor(command: string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, command, {
      cwd: repoRoot,
      // tests are many people on this machine
      env: { RAMIFY_PERSONAL: 'off', ...env },
      // its own group: a signal to it reaches its children too, and a Ctrl-C in the terminal does not
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const untie = this.#child.pid === undefined ? undefined : tieGroup(this.#child.pid)
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (data: Buffer) => {
        this.#output = (this.#output + data.toString()).slice(-20_000)
      })
    }
    this.#child.stderr?.on('data', (data: Buffer) => {
      this.#errors = (this.#errors + data.toString()).slice(-1_000_000)
    })
    this.#ended = new Promise((resolve) => {
      const end = () => {
        this.#running = false
        untie?.()
        resolve()
      }
      this.#child.once('exit', end)
      this.#child.once('error', end)
    })
  }

  /** `npm start`. */
  static server(port: number, env: NodeJS.ProcessEnv): AppProcess {
    return new AppProcess([run, 'serve', '-H', '127.0.0.1', '-p', String(port)], env)
  }

  /** `npm run worker`. */
  static worker(env: NodeJS.ProcessEnv): AppProcess {
    return new AppProcess([run, 'worker'], env)
  }

  /** `npm run db:backup` and the like. */
  static command(name: string, args: readonly string[], env: NodeJS.ProcessEnv): AppProcess {
    return new AppProcess([run, name, ...args], env)
  }

  /** Resolves when it has ended by itself and well, and rejects with its output otherwise. */
  async succeeds(): Promise<void> {
    await this.#ended
    if (this.#child.exitCode !== 0) throw new Error(`It ended with ${this.#child.exitCode}\n${this.#output}`)
  }

  /** Undefined once it has ended. */
  get pid(): number | undefined {
    return this.#running ? this.#child.pid : undefined
  }

  /** The end of its output. */
  get output(): string {
    return this.#output
  }

  /** The end of what it has written to its error log. */
  get errors(): string {
    return this.#errors
  }

  /** Sends a signal to it and its children. Resolves when it has ended, or at once for one that freezes or wakes it. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { pid } = this
    if (pid === undefined) return
    try {
      process.kill(-pid, signal)
    } catch {
      // it has ended by itself a moment ago
    }
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await this.#ended
  }
}
