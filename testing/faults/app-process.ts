import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import path from 'node:path'
import { repoRoot } from '@/testing/runner/repo-root'

/** A server or a worker, as a person would start it, that faults can be done to. */
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
      // a group of its own, so that a signal reaches whatever it has started, and a Ctrl-C does not
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

  /** False once it has ended, however that came. */
  get running(): boolean {
    return this.#running
  }

  /** The last of what it has printed. */
  get output(): string {
    return this.#output
  }

  /** `kill -9`: it has no say in it. */
  async kill(): Promise<void> {
    this.#signal('SIGKILL')
    await this.#ended
  }

  /** It stands still until `wake`, and does not notice. */
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
 * Waits for the end of its input, which comes when we die by whatever signal, and then kills the group. A line means
 * that there is nothing left to kill.
 */
const script = 'read -r line || kill -KILL -- "-$1"'

/** Ties a process to the life of ours. The answer unties it. */
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
