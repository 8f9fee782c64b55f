import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, openDatabase } from '@/lib/db'
import { AppProcess } from '@/testing/machines/app-process'
import { AppServer } from '@/testing/machines/app-server'
import { createDatabase } from '@/testing/machines/create-database'
import { freePort } from '@/testing/machines/free-port'
import {
  type ChatRequest,
  type OpenAIServer,
  type ScriptedReply,
  startOpenAIServer,
} from '@/testing/machines/openai-server'
import { pgliteTemplate, postgresTemplate } from '@/testing/machines/templates'
import { Visitor } from './visitor'

/** How long a run is held without a sign of life, in ms: takeovers come soon. */
export const LEASE = 1000

const served = new Map<string, ReturnType<typeof postgresTemplate>>()

/** What arenas copy: that a server starts from nothing is tested in the browser, and takes longer than a fault. */
const embeddedTemplate = async (): Promise<string> => (await pgliteTemplate()).migrated

/** Where the processes of all arenas keep what V8 has compiled; of the runner where there is one. */
function compiled(): string {
  if (process.env.NODE_COMPILE_CACHE) return process.env.NODE_COMPILE_CACHE
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-compiled-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  process.env.NODE_COMPILE_CACHE = folder
  return folder
}

async function servedTemplate(url: string): Promise<string> {
  const template = served.get(url) ?? postgresTemplate(url)
  served.set(url, template)
  return (await template).name
}

type Answer = (request: ChatRequest) => ScriptedReply | Promise<ScriptedReply>

/** One database, one scripted provider, and the processes that a fault starts on both. Everything ends with it. */
export class Arena {
  readonly #processes: (AppProcess | AppServer)[] = []
  readonly #shared: Promise<AppServer>[] = []
  readonly #atEnd: (() => void)[] = []

  private constructor(
    readonly kind: 'pglite' | 'postgres',
    private readonly database: { dataDir: string } | { url: string },
    readonly provider: OpenAIServer,
    private readonly script: { answer: Answer },
    private readonly cleanUp: () => Promise<void>,
  ) {}

  /** @param postgres the server to make a database on; without it the arena is embedded */
  static async open(postgres?: string): Promise<Arena> {
    const script: { answer: Answer } = { answer: () => 'Noted.' }
    const provider = await startOpenAIServer({ answer: (request) => script.answer(request) })
    if (postgres) {
      const { url, drop } = await createDatabase(postgres, { template: await servedTemplate(postgres) })
      return new Arena('postgres', { url }, provider, script, drop)
    }
    const dataDir = mkdtempSync(path.join(tmpdir(), 'ramify-faults-'))
    const remove = () => rmSync(dataDir, { recursive: true, force: true })
    process.once('exit', remove)
    cpSync(await embeddedTemplate(), dataDir, { recursive: true })
    return new Arena('pglite', { dataDir }, provider, script, async () => remove())
  }

  /** How the provider answers from now on. */
  set answer(answer: Answer) {
    this.script.answer = answer
  }

  /** Starts a server and resolves when it answers. */
  async server(env: Record<string, string> = {}): Promise<AppServer> {
    const port = await freePort()
    const server = new AppServer(port, this.#env({ PORT: String(port), ...env }))
    this.#processes.push(server)
    await server.start()
    return server
  }

  /** A running server for all faults of the arena; with another `number`, another one. */
  async shared(number = 0): Promise<AppServer> {
    this.#shared[number] ??= this.server()
    const server = await this.#shared[number]
    // an earlier fault did not get to start it again
    if (server.pid === undefined) await server.start()
    return server
  }

  worker(): AppProcess {
    const started = AppProcess.worker(this.#env({}))
    this.#processes.push(started)
    return started
  }

  /** A command of an operator, on the database while no process of the arena has it. */
  command(name: 'db-backup' | 'db-restore', ...args: string[]): AppProcess {
    const started = AppProcess.command(name, args, this.#env({}))
    this.#processes.push(started)
    return started
  }

  /** A guest who is signed in at a server, and so at all of them. */
  visitor(base: string): Promise<Visitor> {
    return new Visitor().signIn(base)
  }

  /** Has something done before the processes end. */
  atEnd(stop: () => void): void {
    this.#atEnd.push(stop)
  }

  /** Ends every process. */
  async end(): Promise<void> {
    for (const stop of this.#atEnd.splice(0)) stop()
    for (const process of this.#processes) await process.kill()
  }

  /** Looks at the database itself. An embedded one only while no server has it. */
  async look<T>(see: (database: Database) => Promise<T>): Promise<T> {
    const database = await openDatabase(this.database)
    try {
      return await see(database)
    } finally {
      await database.close()
    }
  }

  /** The end of its processes' output. */
  get output(): string {
    return this.#processes.map((process) => process.output.slice(-2000)).join('\n')
  }

  async close(): Promise<void> {
    await this.end()
    await this.provider.close()
    await this.cleanUp()
  }

  #env(own: Record<string, string>): NodeJS.ProcessEnv {
    return {
      ...process.env,
      NODE_ENV: 'production',
      // empty, not absent: an absent name would be read from a developer's .env.local
      DATABASE_URL: 'url' in this.database ? this.database.url : '',
      DATABASE_URL_UNPOOLED: '',
      RAMIFY_DATA_DIR: 'dataDir' in this.database ? this.database.dataDir : '',
      NODE_COMPILE_CACHE: compiled(),
      RAMIFY_DEFAULT_MODEL: 'openai-compatible:scripted',
      RAMIFY_LEASE_MS: String(LEASE),
      RAMIFY_RATE_LIMIT: 'off',
      RAMIFY_WORKER: 'on',
      OPENAI_COMPATIBLE_BASE_URL: this.provider.url,
      OPENAI_COMPATIBLE_MODELS: 'scripted',
      RAMIFY_TITLES: 'words',
      BETTER_AUTH_URL: '',
      BETTER_AUTH_SECRET: 'a-secret-for-tests-of-faults-and-nothing-else',
      ...own,
    }
  }
}

/** Asks until the answer is yes, for `timeout` ms at most; an error counts as no. */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  { timeout = 60_000 }: { timeout?: number } = {},
): Promise<void> {
  const deadline = Date.now() + timeout
  let why = ''
  for (;;) {
    try {
      if (await holds()) return
    } catch (error) {
      why = ` (${error instanceof Error ? error.message : error})`
    }
    if (Date.now() > deadline) throw new Error(`After ${timeout} ms it is not so that ${what}${why}`)
    await pause(50)
  }
}
