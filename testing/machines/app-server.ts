import { setTimeout as sleep } from 'node:timers/promises'
import { AppProcess } from './app-process'

const STARTS_WITHIN_MS = 60_000
const ENDS_WITHIN_MS = 5_000

/** One `npm start` of the build in this checkout, always on the same port, also when it is started again. */
export class AppServer {
  readonly url: string
  #process: AppProcess | undefined

  /** @param env the whole environment of the process */
  constructor(
    private readonly port: number,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    this.url = `http://127.0.0.1:${port}`
  }

  /** Undefined before the first start and after the end. */
  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** The end of the output since the last start. */
  get output(): string {
    return this.#process?.output ?? ''
  }

  /** The end of the error log since the last start. */
  get errors(): string {
    return this.#process?.errors ?? ''
  }

  /** Resolves when `/api/health` answers. Throws, with the output, when the process ends or stays silent. */
  async start(): Promise<void> {
    await this.kill()
    const started = AppProcess.server(this.port, this.env)
    this.#process = started
    const deadline = Date.now() + STARTS_WITHIN_MS
    while (started.pid !== undefined && Date.now() < deadline) {
      if (await isHealthy(this.url)) return
      await sleep(50)
    }
    await started.kill()
    throw new Error(`${this.url} did not start:\n${started.output}`)
  }

  /** Sends a signal, as `AppProcess.kill`. Does nothing when the server does not run. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.#process?.kill(signal)
  }

  /** Ends it: by SIGTERM, after five seconds by SIGKILL. */
  async stop(): Promise<void> {
    const insist = setTimeout(() => void this.kill(), ENDS_WITHIN_MS)
    // a frozen process does not receive SIGTERM
    await this.kill('SIGCONT')
    await this.kill('SIGTERM')
    clearTimeout(insist)
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    return false
  }
}
