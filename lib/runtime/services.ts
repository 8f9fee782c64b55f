import { assembleMessage, createModels, type Models, streamReply } from '@/lib/ai'
import { type ChangeHub, LiveRuns, type Ports, ReplySlots, RunLogWriter, RunQueue } from '@/lib/conversations'
import { type Database, type OpenOptions, onBehalfOf, openDatabase } from '@/lib/db'
import { newId } from '@/lib/events'
import {
  ApiKeys,
  ChatReads,
  DrizzleContextStore,
  type FollowedSome,
  followSome,
  RunLog,
  RunStore,
  ThreadCommands,
  ThreadReads,
} from '@/lib/store'
import { Worker } from '@/lib/worker'
import { type Env, readEnv } from './env'
import { type Limits, limitsOf } from './limits'
import { logError } from './log'
import { createChangeHub } from './share-changes'

/** Everything a process needs, wired once. */
export interface Services {
  env: Env
  limits: Limits
  database: Database
  models: Models
  /** the store the ports are given, whole */
  store: DrizzleContextStore
  /** wakes who waits for changes; closed with the database, or before */
  changes: ChangeHub
  /** whom the keys of scripts and agents stand for */
  apiKeys: ApiKeys
  /** has usage, titles and whoever else follows the log take in some of what has happened */
  followLog(): Promise<FollowedSome>
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
  const limits = limitsOf(env)
  const models = createModels(source)
  const opened = await openDatabase(databaseOptions(env))
  const changes = createChangeHub(opened, { logError })
  // closed in one go: whoever is told of a change reads it
  const database: Database = {
    ...opened,
    close: async () => {
      await changes.close()
      await opened.close()
    },
  }
  const available = new Set(models.list().map((model) => model.id))
  const touched = (chatId: string) => changes.touched(chatId)
  const store = new DrizzleContextStore(database, touched)
  const log = new RunLog(database)
  const ports: Ports = {
    store,
    reads: new ChatReads(database),
    runs: new RunStore(database),
    live: new LiveRuns(),
    slots: new ReplySlots({
      // with none at all a reply would wait for ever
      perPerson: Math.max(1, limits.repliesPerPerson),
      perServer: Math.max(1, limits.repliesPerServer),
    }),
    log,
    changes,
    writer: new RunLogWriter(log, {
      clock: Date.now,
      logError,
      onProgress: (runId) => changes.progressed(runId),
    }),
    queue: new RunQueue(),
    commands: new ThreadCommands(database, touched),
    threads: new ThreadReads(database),
    models: { defaultId: models.defaultId, ids: [...available], has: (id) => available.has(id) },
    assemble: assembleMessage,
    answer: ({ model, ...request }) => streamReply({ model: () => models.get(model), ...request }),
    clock: Date.now,
    newId,
    leaseMs: env.RAMIFY_LEASE_MS,
    logError,
  }
  const followLog = async () => {
    const done = await followSome(database)
    for (const chatId of done.chats) touched(chatId)
    return done
  }
  return {
    env,
    limits,
    database,
    models,
    store,
    changes,
    apiKeys: new ApiKeys(database),
    followLog,
    ports,
  }
}

/** The part of a process that answers for others. */
export const createWorker = ({ ports, store, followLog }: Services): Worker =>
  new Worker({
    ports,
    // statements of their own turns: runs that wait to be taken do not stand behind them
    indexSearch: () => onBehalfOf('search index', () => store.indexPending()),
    followLog: () => onBehalfOf('followers', followLog),
  })

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
