import { assembleMessage, createModels, type Models, streamReply } from '@/lib/ai'
import { type ChangeHub, LiveRuns, type Ports, ReplySlots, RunLogWriter, RunQueue } from '@/lib/conversations'
import { asJob, type Database, type OpenOptions, onBehalfOf, openDatabase } from '@/lib/db'
import { newId } from '@/lib/events'
import {
  ApiKeys,
  Attempts,
  ChatReads,
  DrizzleContextStore,
  type FollowedSome,
  followSome,
  forgetIdentities,
  forgetOldUse,
  forgetStored,
  heldCredentials,
  RunLog,
  RunStore,
  ThreadCommands,
  ThreadReads,
} from '@/lib/store'
import { Worker } from '@/lib/worker/worker'
import { type Env, readEnv } from './env'
import { WorkerPulse } from './health-probe'
import { type Limits, limitsOf } from './limits'
import { logError } from './log'
import { OpenStreams } from './open-streams'
import { auditQuota, quotaLimitsOf } from './quota'
import { createChangeHub } from './share-changes'
import { observing, openTelemetry } from './telemetry'

/** How long expired keys stay in a person's list, in ms. */
const KEEP_EXPIRED = 30 * 24 * 3_600_000

/** Everything a process needs, wired once. */
export interface Services {
  env: Env
  limits: Limits
  database: Database
  models: Models
  /** the store behind the ports, with all its methods */
  store: DrizzleContextStore
  /** wakes the readers that wait for changes; closed with the database, or before */
  changes: ChangeHub
  /** the keys of scripts and agents */
  apiKeys: ApiKeys
  /** counts attempts to sign in, for all servers on the database */
  attempts: Attempts
  /** the streams open in this process; each ends with its session or key */
  streams: OpenStreams
  /** has the followers of the log (usage, titles) process some of the new events */
  followLog(): Promise<FollowedSome>
  /** deletes attempts to sign in that no longer count, and keys that ended a month ago */
  tidyAccess(): Promise<void>
  /** deletes ended sessions, guests that own nothing, and the usage of earlier days; returns how many rows */
  forgetUnused(): Promise<number>
  /** the state of this process's worker */
  pulse: WorkerPulse
  ports: Ports
  /** the ports for requests from a network address: its writes count for the address too */
  portsFor(address: string): Ports
}

/** The database the environment names. */
export function databaseOptions(env: Env): OpenOptions {
  if (!env.DATABASE_URL) return { dataDir: env.RAMIFY_DATA_DIR }
  return {
    url: env.DATABASE_URL,
    prepare: env.DATABASE_PREPARE === 'on',
    unpooledUrl: env.DATABASE_URL_UNPOOLED,
  }
}

/** Opens the database and wires the use cases to it. */
export async function createServices(
  source: Readonly<Record<string, string | undefined>>,
): Promise<Services> {
  const env = readEnv(source)
  const limits = limitsOf(env)
  const models = createModels(source)
  const telemetry = await openTelemetry(source)
  const opened = await openDatabase(databaseOptions(env))
  const changes = createChangeHub(opened, { logError })
  const streams = new OpenStreams({
    limits: { perPerson: limits.streams, perAddress: limits.addressStreams },
    held: (credentials) => heldCredentials(opened, credentials),
    logError,
  })
  // closed together: a listener that hears of a change reads the database
  const database: Database = {
    ...opened,
    close: async () => {
      streams.close()
      await changes.close()
      await opened.close()
      await telemetry?.stop()
    },
  }
  const available = new Set(models.list().map((model) => model.id))
  const touched = (chatId: string) => changes.touched(chatId)
  const quota = quotaLimitsOf(limits)
  const counting = quota && { limits: quota, onRefused: auditQuota }
  // without quotas, stored data is not counted
  if (!counting) await forgetStored(database)
  const store = new DrizzleContextStore(database, touched, counting)
  const commands = new ThreadCommands(database, touched, counting)
  const log = new RunLog(database)
  const unobserved: Ports = {
    store,
    reads: new ChatReads(database),
    runs: new RunStore(database),
    live: new LiveRuns(),
    slots: new ReplySlots({
      // with a limit of 0 a reply would wait for ever
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
    commands,
    threads: new ThreadReads(database),
    models: { defaultId: models.defaultId, ids: [...available], has: (id) => available.has(id) },
    assemble: assembleMessage,
    answer: ({ model, ...request }) => streamReply({ model: () => models.get(model), ...request }),
    clock: Date.now,
    newId,
    leaseMs: env.RAMIFY_LEASE_MS,
    logError,
  }
  const observed = observing(telemetry, database)
  const ports = observed(unobserved)
  const followLog = async () => {
    const done = await followSome(asJob(database))
    for (const chatId of done.chats) touched(chatId)
    return done
  }
  const [apiKeys, attempts] = [new ApiKeys(database), new Attempts(database)]
  const tidyAccess = async () => {
    await attempts.forgetOld()
    await apiKeys.forgetExpired(KEEP_EXPIRED)
  }
  return {
    env,
    limits,
    database,
    models,
    store,
    changes,
    apiKeys,
    attempts,
    streams,
    followLog,
    tidyAccess,
    forgetUnused: async () => {
      const { sessions, guests } = await forgetIdentities(database)
      return sessions + guests + (await forgetOldUse(database))
    },
    pulse: new WorkerPulse(),
    ports,
    // the whole site would share the limits of an unknown address
    portsFor: (address) =>
      counting && address !== 'unknown'
        ? observed({
            ...unobserved,
            store: store.countingFor(address),
            commands: commands.countingFor(address),
          })
        : ports,
  }
}

/** The worker of this process. */
export const createWorker = ({
  ports,
  store,
  followLog,
  tidyAccess,
  forgetUnused,
  pulse,
}: Services): Worker =>
  new Worker({
    ports,
    // their statements take turns with others, so that waiting runs are not delayed
    indexSearch: () => onBehalfOf('search index', () => store.indexPending()),
    followLog: () => onBehalfOf('followers', followLog),
    tidyAccess: () => onBehalfOf('tidying', tidyAccess),
    forgetUnused: () => onBehalfOf('tidying', forgetUnused),
    pulse,
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
