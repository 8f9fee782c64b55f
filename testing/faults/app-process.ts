import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import path from 'node:path'
import { repoRoot } from '@/testing/runner/repo-root'

/** A server or a worker, started as an operator does, for faults to be done to. */
export class AppProcess {
  readonly #child: ChildProcess
  readonly #untie: () => void
  readonly #ended: Promise<void>
  #output = ''
  #running = true

  private constructor(command: string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, command, {
      cwd: repoRoot,
      env,
      // its own group: a signal to it reaches its children too, and a Ctrl-C in the terminal does not
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#untie = tie(this.#child)
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (data: Buffer) => {
        this.#output = (this.#output + data.toString()).slice(-20_000)
      })
    }
    this.#ended = new Promise((resolve) => {
      const end = () => {
        this.#running = false
        this.#untie()
        resolve()
      }
      this.#child.once('exit', end)
      this.#child.once('error', end)
    })
  }

  /** `npm start` of the build that is there. */
  static server(port: number, env: NodeJS.ProcessEnv): AppProcess {
    const serve = path.join(repoRoot, 'lib/runtime/cli/serve.ts')
    return new AppProcess([serve, '-H', '127.0.0.1', '-p', String(port)], env)
  }

  /** `npm run worker`. */
  static worker(env: NodeJS.ProcessEnv): AppProcess {
    return new AppProcess(['--import', 'tsx', path.join(repoRoot, 'lib/runtime/cli/worker.ts')], env)
  }

  /** False once it has ended. */
  get running(): boolean {
    return this.#running
  }

  /** The end of its output. */
  get output(): string {
    return this.#output
  }

  /** `kill -9`. */
  async kill(): Promise<void> {
    this.#signal('SIGKILL')
    await this.#ended
  }

  /** Stops the process until `wake`. */
  freeze(): void {
    this.#signal('SIGSTOP')
  }

  wake(): void {
    this.#signal('SIGCONT')
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child
    if (pid === undefined || !this.#running) return
    process.kill(-pid, signal)
  }
}

/**
 * Waits for the end of its input, which comes when this process dies by any signal, and then kills the group. A line
 * means that there is nothing left to kill.
 */
const script = 'read -r line || kill -KILL -- "-$1"'

/** Ties a process to the life of this one. Returns a function that unties it. */
function tie({ pid }: ChildProcess): () => void {
  if (pid === undefined) return () => undefined
  const watchdog = spawn('/bin/sh', ['-c', script, 'process-watchdog', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watchdog.on('error', () => undefined)
  watchdog.unref()
  if (watchdog.stdin instanceof Socket) watchdog.stdin.unref()
  return () => watchdog.stdin.end('over\n')
}
