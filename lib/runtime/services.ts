// Longer than other files: every service of a process is made here, in the order in which they need each other.

import type { FoundModel } from '@/lib/ai'
import { askBriefly, askForSummary, assembleMessage, modelPrompt, streamReply } from '@/lib/ai'
import type { ModelSettings } from '@/lib/context'
import {
  driveImport,
  fillFiles,
  keepFile,
  LiveRuns,
  openImport,
  type Ports,
  PrefixLeads,
  ReplySlots,
  RunLogWriter,
  RunQueue,
  Titles,
} from '@/lib/conversations'
import { agentFolders } from '@/lib/conversations/imports/agents/agent-folders'
import { asJob, type Database, type OpenOptions, onBehalfOf, openDatabase } from '@/lib/db'
import { newId } from '@/lib/events'
import type { PresetContent } from '@/lib/protocol'
import {
  ApiKeys,
  Attempts,
  BisectReads,
  ChatDefaultsStore,
  ChatExports,
  ChatReads,
  ContextPresets,
  DrizzleContextStore,
  ExchangeReads,
  Files,
  followSome,
  forgetGone,
  forgetIdentities,
  forgetOldUse,
  forgetSilentGuests,
  forgetStored,
  heldCredentials,
  Imports,
  ListedChats,
  MachineOwner,
  Members,
  moveBelongings,
  OAuthApps,
  Proposals,
  ProviderKeys,
  Remotes,
  ReplayReads,
  RunLog,
  RunStore,
  Shares,
  Summaries,
  sealWhenNeeded,
  ThreadCommands,
  ThreadReads,
  ToolServers,
  UsageReads,
} from '@/lib/store'
import { Worker } from '@/lib/worker/worker'
import { authSecret } from './auth-secret'
import { forgetDemoGuests, settingsOf } from './demo'
import { type Env, readEnv } from './env'
import { withFunctionLimits } from './functions'
import { WorkerPulse } from './health-probe'
import { limitsOf } from './limits'
import { logError } from './log'
import { openMail } from './mail'
import { OpenStreams } from './open-streams'
import { isForOneOwner } from './own-machine'
import { openCatalogue, PersonalModels } from './personal-models'
import { PersonalTools } from './personal-tools'
import { auditQuota, quotaLimitsOf } from './quota'
import { PersonalRemotes } from './remotes/personal-remotes'
import { createChangeHub } from './share-changes'
import { observing, openTelemetry } from './telemetry'

/** Model calls of one reply with tools. */
const MAX_STEPS = 12
/** Lifetime of a stored reply's parts, and of the answers to commands, in ms. */
const KEEP_PARTS = 60_000
const KEEP_ANSWERS = 48 * 3_600_000
/** Time for which expired keys and links stay in a person's list, in ms. */
const KEEP_EXPIRED = 30 * 24 * 3_600_000
/** The longest time between two parts of a copy of a shared chat, in ms. */
const BROKEN_OFF = 10 * 60_000
/** Lifetime of a file that was uploaded and not sent, in ms. */
const KEEP_UNSENT = 24 * 3_600_000

/** Maximum number of contexts that a person may save under a name, and of their characters together. */
const presetLimits = { most: 100, size: 4_000_000 }

/** Maximum numbers of valid links to one chat, and of its members and invitations together. */
const [MOST_SHARES, MOST_MEMBERS] = [100, 50]

/** The database the environment names. */
export function databaseOptions(env: Env): OpenOptions {
  if (!env.DATABASE_URL) return { dataDir: env.RAMIFY_DATA_DIR }
  return {
    url: env.DATABASE_URL,
    prepare: env.DATABASE_PREPARE === 'on',
    unpooledUrl: env.DATABASE_URL_UNPOOLED,
  }
}

/** Bytes of a file to import at most: unless set 2 GB, and 512 MB in the embedded database, which keeps it in the process. */
const importBytesOf = ({ RAMIFY_IMPORT_LIMIT_MB: set, DATABASE_URL }: Env): number =>
  (set ?? (DATABASE_URL ? 2048 : 512)) * 1024 * 1024

/**
 * Opens the database and wires the use cases to it.
 *
 * @param options.brief for one command, as `startEmbedded` takes it
 * @param options.patience how long another process may still hold the data folder, in ms
 */
export async function createServices(
  given: Readonly<Record<string, string | undefined>>,
  { brief = false, patience }: { brief?: boolean; patience?: number } = {},
) {
  const source = settingsOf(withFunctionLimits(given))
  const env = readEnv(source)
  const limits = limitsOf(env)
  const catalogue = openCatalogue(source, env)
  const telemetry = await openTelemetry(source)
  const opened = await openDatabase({
    ...databaseOptions(env),
    brief,
    ...(patience !== undefined && { patience }),
  })
  const changes = createChangeHub(opened, { logError })
  const streams = new OpenStreams({
    limits: { perPerson: limits.streams, perAddress: limits.addressStreams },
    held: (credentials) => heldCredentials(opened, credentials),
    logError,
  })
  const seal = sealWhenNeeded(() => authSecret(env))
  const providerKeys = new ProviderKeys<FoundModel>(opened, seal)
  const models = new PersonalModels(catalogue, providerKeys, { clock: Date.now, logError })
  const toolServers = new ToolServers(opened, seal)
  const tools = new PersonalTools(toolServers, models, {
    clock: Date.now,
    logError,
    bounds: { ms: env.RAMIFY_TOOL_MS },
  })
  const titles = new Titles(
    env.RAMIFY_TITLES === 'model'
      ? async (model, { chatId, ...request }) =>
          askBriefly({ model: await models.inChat(chatId, model), ...request })
      : undefined,
  )
  // closed together: a listener that hears of a change reads the database
  const database: Database = {
    ...opened,
    close: async () => {
      streams.close()
      await titles.close()
      await changes.close()
      await opened.close()
      await telemetry?.stop()
    },
  }
  const touched = (chatId: string) => changes.touched(chatId)
  const quota = quotaLimitsOf(limits)
  const counting = quota && { limits: quota, onRefused: auditQuota }
  // without quotas, stored data is not counted
  if (!counting) await forgetStored(database)
  const store = new DrizzleContextStore(database, touched, counting)
  const commands = new ThreadCommands(database, touched, counting)
  const files = new Files(database, counting)
  const imports = new Imports(database, (chatId) => store.noteWritten(chatId), counting)
  const log = new RunLog(database)
  const chatDefaults = new ChatDefaultsStore(database)
  const unobserved: Ports = {
    store,
    reads: new ChatReads(database),
    runs: new RunStore(database),
    replays: new ReplayReads(database),
    bisects: new BisectReads(database),
    live: new LiveRuns(),
    slots: new ReplySlots({
      // with a limit of 0 a reply would wait for ever
      perPerson: Math.max(1, limits.repliesPerPerson),
      perServer: Math.max(1, limits.repliesPerServer),
    }),
    prefixLeads: new PrefixLeads(),
    log,
    changes,
    writer: new RunLogWriter(log, {
      clock: Date.now,
      logError,
      onProgress: (runId) => changes.progressed(runId),
    }),
    titles,
    queue: new RunQueue(),
    commands,
    threads: new ThreadReads(database),
    listed: new ListedChats(database, touched),
    files,
    imports,
    importing: { open: openImport, fileBytes: env.RAMIFY_FILE_LIMIT_MB * 1024 * 1024 },
    exports: new ChatExports(database),
    exchange: new ExchangeReads(database),
    chatDefaults,
    models,
    summaries: new Summaries(database),
    usage: new UsageReads(database),
    summarise: async ({ model, chatId, ...request }) =>
      askForSummary({ model: await models.inChat(chatId, model, request.abortSignal), ...request }),
    judge: async ({ model, chatId, ...request }) =>
      askBriefly({
        model: await models.inChat(chatId, model, request.abortSignal),
        instructions:
          'You are told a claim about a reply. Say whether it is true: answer with yes or no alone.',
        ...request,
      }),
    withFiles: (messages, { chatId, input }) => fillFiles(files, messages, { chatId, input: () => input }),
    tools,
    written: modelPrompt,
    assemble: assembleMessage,
    answer: ({ model, models: known, chatId, settings, tools: { set, approval }, ...request }) =>
      streamReply({
        settings: callOptions(settings),
        tools: set,
        toolApproval: approval,
        maxSteps: set ? MAX_STEPS : 1,
        cacheKey: chatId,
        modelId: model,
        model: () => known?.get(model) ?? models.inChat(chatId, model, request.abortSignal),
        keep: (file) =>
          keepFile(
            { store, files, logError },
            { chatId, file, most: env.RAMIFY_FILE_LIMIT_MB * 1024 * 1024 },
          ),
        fill: (messages) =>
          fillFiles(files, messages, {
            chatId,
            input: async () =>
              known?.facts(model).input ?? (await models.factsIn(chatId, model, request.abortSignal)).input,
          }),
        ...request,
      }),
    clock: Date.now,
    newId,
    leaseMs: env.RAMIFY_LEASE_MS,
    logError,
  }
  const observed = observing(telemetry, database)
  const ports = observed(unobserved)
  const [apiKeys, attempts] = [new ApiKeys(database), new Attempts(database)]
  const apps = new OAuthApps(database)
  const remotes = new PersonalRemotes(new Remotes(database, seal), {
    fetch: catalogue.ownFetch,
    isOwnKey: (key) => apiKeys.has(key),
  })
  const shares = new Shares(database, MOST_SHARES)
  const moveAll = (from: string, to: string, options: { keepsAccess?: boolean } = {}) =>
    moveBelongings(database, from, to, {
      ...options,
      reseal: (key) => providerKeys.resealed(from, to, key),
    })
  const isOwners = isForOneOwner(source, env, brief)
  const owner = new MachineOwner(database, isOwners, (from, to) => moveAll(from, to, { keepsAccess: true }))
  return {
    env,
    limits,
    database,
    /** true when writes and calls are counted, and may be refused */
    countsQuotas: counting !== undefined,
    /** models of the environment, and those that a person's keys add */
    models,
    /** people's keys for model providers */
    providerKeys,
    /** people's files, to be read piece by piece */
    files,
    /** bytes of a file to import, at most */
    importBytes: importBytesOf(env),
    /** the folders in which agents keep their sessions; none on a machine of others, whose files are not the viewer's */
    agentFolders: isOwners ? agentFolders(source) : [],
    imports,
    /** the tools that replies are asked with */
    tools,
    /** people's other servers, and their servers of tools */
    remotes,
    toolServers,
    /** the store behind the ports, with all its methods */
    store,
    /** wakes the readers that wait for changes; closed with the database, or before */
    changes,
    /** contexts that people have saved under a name */
    contextPresets: new ContextPresets<PresetContent>(database, presetLimits),
    /** people's settings for their new chats */
    chatDefaults,
    /** links by which chats are read without an account */
    shares,
    /** the people of chats, and invitations to them */
    members: new Members(database, MOST_MEMBERS),
    /** branches that are proposed to the owners of chats */
    proposals: new Proposals(database),
    /** the keys of scripts and agents */
    apiKeys,
    /** the apps that people have let in */
    apps,
    /** the one person of a server that only its own machine reaches */
    owner,
    /** gives all that one person has to another, and deletes the one; access ends unless told otherwise */
    moveAll,
    /** counts attempts to sign in, for all servers on the database */
    attempts,
    /** the server's letters */
    mail: openMail(env),
    /** the streams open in this process; each ends with its session or key */
    streams,
    /** has the followers of the log (usage, titles) process some of the new events */
    async followLog() {
      const done = await followSome(asJob(database))
      for (const chatId of done.chats) touched(chatId)
      return done
    },
    /** work that can wait, by its name in the log */
    chores: {
      'indexing for search': () => store.indexPending(),
      'deleting the logs of stored replies': () => log.prune(KEEP_PARTS),
      'deleting old answers': () => commands.forgetAnswers(KEEP_ANSWERS),
      'deleting files that were not sent': () => files.forgetUnheld(KEEP_UNSENT),
      'deleting old imports': () => imports.forgetOld(),
      'deleting copies that were broken off': async () => {
        const broken = await shares.brokenCopies(BROKEN_OFF)
        for (const { chatId, ownerId } of broken) await store.deleteChat(chatId, { userId: ownerId })
        return broken.length
      },
      'deleting old attempts, keys, apps and links': async () => {
        await attempts.forgetOld()
        return (
          (await apps.forgetOld()) +
          (await apiKeys.forgetExpired(KEEP_EXPIRED)) +
          (await shares.forgetExpired(KEEP_EXPIRED))
        )
      },
      // on a machine of one owner a guest's chats are the owner's, who takes them over with the next request
      'deleting guests who were not here for a month': async () =>
        (await owner.isAlone()) ? 0 : forgetSilentGuests(database),
      ...(env.RAMIFY_DEMO === 'on' && {
        'deleting the guests of an hour ago': () => forgetDemoGuests(database),
      }),
      'deleting the chats of deleted accounts': () => forgetGone(database, touched),
      // ended sessions, guests that own nothing, and the usage of earlier days
      'deleting unused data': async () => {
        const { sessions, guests } = await forgetIdentities(database)
        return sessions + guests + (await forgetOldUse(database))
      },
    },
    /** the state of this process's worker */
    pulse: new WorkerPulse(),
    ports,
    /** the ports for requests from a network address: its writes count for the address too */
    portsFor(address: string): Ports {
      // the whole site would share the limits of an unknown address
      if (!counting || address === 'unknown') return ports
      const counted = {
        store: store.countingFor(address),
        commands: commands.countingFor(address),
        files: files.countingFor(address),
      }
      return observed({ ...unobserved, ...counted })
    },
  }
}

/** Settings of a context as the AI SDK calls them. */
const callOptions = (settings: ModelSettings) => ({
  temperature: settings.temperature,
  topP: settings.top_p,
  presencePenalty: settings.presence_penalty,
  frequencyPenalty: settings.frequency_penalty,
  maxOutputTokens: settings.max_output_tokens,
  seed: settings.seed,
})

/** Everything a process needs, wired once. */
export type Services = Awaited<ReturnType<typeof createServices>>

/** The worker of this process. */
export const createWorker = ({ ports, pulse, followLog, chores }: Services): Worker =>
  new Worker({
    ports,
    pulse,
    // their statements take turns with others, so that waiting runs are not delayed
    followLog: () => onBehalfOf('followers', followLog),
    takeImport: (signal) => onBehalfOf('imports', () => driveImport(ports, signal)),
    chores: Object.fromEntries(
      Object.entries(chores).map(([what, work]) => [what, () => onBehalfOf<Promise<unknown>>(what, work)]),
    ),
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
