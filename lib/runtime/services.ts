import { assembleMessage, createModels, type Models, streamReply } from '@/lib/ai'
import { LiveRuns, type Ports, RunLogWriter } from '@/lib/conversations'
import { type Database, type OpenOptions, openDatabase } from '@/lib/db'
import { newId } from '@/lib/events'
import { ChatReads, DrizzleContextStore, RunLog, RunStore } from '@/lib/store'
import { Worker } from '@/lib/worker'
import { type Env, readEnv } from './env'
import { logError } from './log'

/** Everything a process needs, wired once. */
export interface Services {
  env: Env
  database: Database
  models: Models
  /** the store the ports are given, whole */
  store: DrizzleContextStore
  ports: Ports
}

/** The database the environment names. */
export function databaseOptions(env: Env): OpenOptions {
  if (!env.DATABASE_URL) return { dataDir: env.RAMIFY_DATA_DIR }
  return {
    url: env.DATABASE_URL,
    prepare: env.DATABASE_PREPARE === 'on',
    ...(env.DATABASE_URL_UNPOOLED ? { unpooledUrl: env.DATABASE_URL_UNPOOLED } : {}),
  }
}

/** Opens the database and wires the use cases to it. */
export async function createServices(
  source: Readonly<Record<string, string | undefined>>,
): Promise<Services> {
  const env = readEnv(source)
  const models = createModels(source)
  const database = await openDatabase(databaseOptions(env))
  const available = new Set(models.list().map((model) => model.id))
  const store = new DrizzleContextStore(database)
  const log = new RunLog(database)
  const ports: Ports = {
    store,
    reads: new ChatReads(database),
    runs: new RunStore(database),
    live: new LiveRuns(),
    log,
    changes: { subscribeChat: () => () => undefined, subscribeRun: () => () => undefined }, // TEMP until the hub
    writer: new RunLogWriter(log, { clock: Date.now, logError }),
    models: { defaultId: models.defaultId, has: (id) => available.has(id) },
    assemble: assembleMessage,
    answer: ({ model, ...request }) => streamReply({ model: models.get(model), ...request }),
    clock: Date.now,
    newId,
    leaseMs: env.RAMIFY_LEASE_MS,
    logError,
  }
  return { env, database, models, store, ports }
}

/** The part of a process that answers for others. */
export const createWorker = ({ ports, store }: Services): Worker =>
  new Worker({ ports, indexSearch: () => store.indexPending() })

const shared = globalThis as typeof globalThis & { __ramifyServices?: Promise<Services> }

/**
 * The services of this process. Bundles and hot reloads share one instance: two embedded databases in one process
 * would lose rows.
 */
export function getServices(): Promise<Services> {
  shared.__ramifyServices ??= createServices(process.env).catch((error: unknown) => {
    delete shared.__ramifyServices
    throw error
  })
  return shared.__ramifyServices
}
