import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { type ClientRequestArgs, type IncomingMessage, request } from 'node:http'
import path from 'node:path'
import { tieGroup } from '@/testing/machines/tie-group'

interface Told {
  port?: number
  answered?: number
  working?: number
}

/**
 * One process of a function. It takes one request at a time, and is frozen as soon as it has answered and the work that it
 * gave to `waitUntil` has ended. It reads its own folder alone, and writes to a temporary folder alone.
 */
export class FunctionProcess {
  readonly #child: ChildProcess
  readonly #port: Promise<number>
  #given = 0
  #isIdle = false
  #output = ''
  #running = true

  constructor(folder: string, scratch: string, env: Readonly<Record<string, string>>) {
    mkdirSync(scratch, { recursive: true })
    // a symbolic link is read at the place that it names, which is in the folder too
    const limits = ['--permission', `--allow-fs-read=${folder}`, `--allow-fs-read=${scratch}`]
    const rights = [
      `--allow-fs-write=${scratch}`,
      '--allow-child-process',
      '--allow-worker',
      '--allow-addons',
      '--allow-wasi',
    ]
    this.#child = spawn(process.execPath, [...limits, ...rights, path.join(folder, 'launcher.cjs')], {
      cwd: folder,
      env: {
        NODE_ENV: 'production',
        NODE_NO_WARNINGS: '1',
        VERCEL: '1',
        HOME: scratch,
        TMPDIR: scratch,
        TZ: 'UTC',
        ...env,
      },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const untie = tieGroup(this.#child.pid ?? 0)
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (data: Buffer) => {
        this.#output += data.toString()
      })
    }
    const port = Promise.withResolvers<number>()
    this.#child.on('message', (told: Told) => {
      if (told.port) port.resolve(told.port)
      else if (told.working === 0 && told.answered === this.#given) this.#freeze()
    })
    this.#child.once('exit', () => {
      this.#running = false
      untie()
      port.reject(new Error(`The function ended:\n${this.#output}`))
    })
    this.#port = port.promise
    this.#port.catch(() => undefined)
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get isRunning(): boolean {
    return this.#running
  }

  /** Whether it is frozen until its next request. */
  get isIdle(): boolean {
    return this.#isIdle
  }

  get output(): string {
    return this.#output
  }

  /** Has it answer a request; resolves with the head of the answer. */
  async ask(options: ClientRequestArgs, body: Buffer): Promise<IncomingMessage> {
    this.#given++
    this.#isIdle = false
    this.#signal('SIGCONT')
    const port = await this.#port
    const sent = request({ ...options, host: '127.0.0.1', port, agent: false })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return response
  }

  async kill(): Promise<void> {
    if (!this.#running) return
    const ended = once(this.#child, 'exit')
    this.#signal('SIGKILL')
    await ended
  }

  #freeze(): void {
    this.#isIdle = true
    this.#signal('SIGSTOP')
  }

  /** Its children too: a reader of files is a process of its own. */
  #signal(name: NodeJS.Signals): void {
    if (this.#running && this.#child.pid !== undefined) process.kill(-this.#child.pid, name)
  }
}
