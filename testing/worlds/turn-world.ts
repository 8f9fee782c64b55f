import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Step } from '@/lib/context'
import {
  changeContext,
  followReply,
  inCalledChat,
  parseUserMessage,
  readChat,
  readContext,
  runTurn,
  type TurnRequest,
} from '@/lib/conversations'
import { contextFor } from '@/lib/conversations/turns/context-value'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import type { ContextChange } from '@/lib/protocol'
import { createServices, type Services } from '@/lib/runtime'
import { checkDatabase } from '@/lib/store'
import {
  type ChatRequest,
  type OpenAIServer,
  type ScriptedReply,
  startOpenAIServer,
} from '@/testing/machines/openai-server'
import { Follower } from './follower'
import { type DatabaseKind, databaseEnv } from './open-stores'

/** The model the scripted provider serves. */
export const MODEL = 'openai-compatible:scripted'

/** A database, a scripted provider, and any number of processes' services on both. */
export interface TurnWorld {
  provider: OpenAIServer
  /** how the provider answers from now on */
  answer: (request: ChatRequest) => ScriptedReply | Promise<ScriptedReply>
  /** where the database is; undefined when it is embedded */
  url: string | undefined
  /**
   * The services of one more process. An embedded database has only one: it is returned again, with the first `env`.
   *
   * @param env settings besides the database and the provider
   */
  process(env?: Record<string, string>): Promise<Services>
  close(): Promise<void>
}

export async function openTurnWorld(kind: DatabaseKind): Promise<TurnWorld> {
  const database = await databaseEnv(kind)
  const opened: Services[] = []
  const provider = await startOpenAIServer({ answer: (request) => world.answer(request) })
  const world: TurnWorld = {
    provider,
    answer: () => 'Noted.',
    url: database.env.DATABASE_URL || undefined,
    async process(env = {}) {
      const [only] = opened
      if (only && kind === 'pglite') return only
      const services = await createServices({
        ...database.env,
        OPENAI_COMPATIBLE_BASE_URL: provider.url,
        OPENAI_COMPATIBLE_MODELS: 'scripted',
        // tests count the requests for replies
        RAMIFY_TITLES: 'words',
        ...env,
      })
      if (opened.length === 0) {
        await services.database.orm
          .insert(schema.user)
          .values({ id: 'ada', name: 'Ada', email: 'ada@example.org' })
      }
      opened.push(services)
      return services
    },
    async close() {
      for (const { database } of opened) await database.close()
      await database.remove()
      await provider.close()
    },
  }
  return world
}

/** What is not there yet: reads and writes reach it once it is. */
function later<T extends object>(find: () => T | undefined): T {
  const found = () => find() ?? fail('The world of this suite is not open yet')
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(found(), key),
    set: (_, key, value) => Reflect.set(found(), key, value),
  })
}

const fail = (why: string): never => {
  throw new Error(why)
}

/** A world for the tests of a suite, with two processes of these settings: opened before them, closed after them. */
export function givenProcesses(kind: DatabaseKind, env: Record<string, string> = {}, count = 2) {
  let world: TurnWorld | undefined
  const opened: Services[] = []
  beforeAll(async () => {
    world = await openTurnWorld(kind)
    while (opened.length < count) opened.push(await world.process(env))
  })
  afterAll(() => world?.close())
  return {
    world: later(() => world),
    here: later(() => opened[0]),
    there: later(() => opened[1]),
  }
}

/** A world for the tests of a suite, with one process. */
export function givenWorld(kind: DatabaseKind, env: Record<string, string> = {}) {
  const { world, here: services } = givenProcesses(kind, env, 1)
  return { world, services }
}

/** A file that tells of the model of tests, for `RAMIFY_MODELS_FILE`. */
export function modelsFile(facts: object, model = MODEL): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'ramify-models-')), 'models.json')
  writeFileSync(file, JSON.stringify({ models: { [model]: facts } }))
  return file
}

/** Then every invariant of the database holds. */
export const isSound = async ({ database }: Services) => expect(await checkDatabase(database)).toEqual([])

/** Ada's request: a turn in a chat, or with `trigger` another answer. */
export type Ask = Partial<TurnRequest> & { chatId: string; text?: string; id?: string }

export const ask = ({ text, id, ...rest }: Ask): TurnRequest => ({
  ownerId: 'ada',
  trigger: 'submit-message',
  model: MODEL,
  ...(text === undefined
    ? {}
    : { message: parseUserMessage({ id: id ?? newId(), role: 'user', parts: [{ type: 'text', text }] }) }),
  ...rest,
})

/** Takes a turn to its end: what its reader has seen. */
export async function takeTurn({ ports }: Pick<Services, 'ports'>, turn: Ask): Promise<Follower> {
  const { stream, ended } = await runTurn(ports, ask(turn))
  const [reader] = await Promise.all([new Follower(stream).rest(), ended])
  return reader
}

/**
 * Takes a turn to its end: the branch it is on, what is said there, and the first request that the provider got for it.
 */
export async function sayTo(world: TurnWorld, services: Services, turn: Ask) {
  const before = world.provider.requests.length
  await takeTurn(services, turn)
  // a turn makes its branch the active one
  const { branchId, window } = await openPage(services, turn.chatId)
  return { branchId, messages: window.messages, request: world.provider.requests[before] }
}

/** Changes the context that is in force on a branch of Ada's. */
export async function putContext(
  { ports }: Services,
  chatId: string,
  changed: Omit<ContextChange, 'expected_context_id'>,
  branch?: string,
) {
  const at = { ownerId: 'ada', chatId, branch }
  const { context_id: expected_context_id } = await readContext(ports, at)
  return changeContext(ports, { ...at, change: { ...changed, expected_context_id } })
}

/** Then a chat is to another person as one that is missing. */
export async function isHidden(
  { ports }: Services,
  chatId: string,
  read: Parameters<typeof inCalledChat>[2],
): Promise<void> {
  const asBob = (id: string) => inCalledChat(ports, { ownerId: 'bob', chatId: id }, read)
  const refusals = await Promise.allSettled([asBob(chatId), asBob('missing')])
  const [foreign, missing] = refusals.map((each) => each.status === 'rejected' && String(each.reason))
  expect(foreign).toBe(String(missing).replace('missing', chatId))
}

/** A turn that is under way, and its reader. */
export async function beginTurn({ ports }: Pick<Services, 'ports'>, turn: Ask) {
  const { stream, ended } = await runTurn(ports, ask(turn))
  return { follower: new Follower(stream), ended }
}

/** Another reader of the reply that is being written in a chat. */
export async function followChat({ ports }: Services, chatId: string): Promise<Follower> {
  const stream = await followReply(ports, { ownerId: 'ada', chatId })
  return stream ? new Follower(stream) : fail('Nothing runs here')
}

/** A person besides Ada. */
export async function addPerson({ database }: Pick<Services, 'database'>, id = newId()): Promise<string> {
  await database.orm.insert(schema.user).values({ id, name: id, email: `${id}@example.org` })
  return id
}

/** Ada's chat in which so much was said in turn, by her first, as turns would have left it; the messages are the newest last. */
export async function seedChat(
  { store }: Pick<Services, 'store'>,
  texts: readonly string[],
  model = MODEL,
): Promise<{ chatId: string; branchId: string; ids: string[] }> {
  const [chatId, branchId, at] = [newId(), newId(), Date.now()]
  const context = contextFor(model, null)
  const messages = texts.map((text, place) => {
    const [id, role] = [newId(), place % 2 === 0 ? 'user' : 'assistant']
    return {
      id,
      name: role,
      preview: text.slice(0, 160),
      createdAt: at,
      data: { id, role, parts: [{ type: 'text', text }] },
    }
  })
  await store.commit({
    chatId,
    at,
    contexts: [context],
    create: { userId: 'ada', branchId, contextId: context.id },
    steps: [{ kind: 'append', branchId, expectedHead: null, messages }],
  })
  return { chatId, branchId, ids: messages.map(({ id }) => id) }
}

/**
 * A chat of questions that wait for a reply, each on a branch of its own, as a command leaves them: no process holds the runs.
 */
export async function queueQuestions(
  { store }: Pick<Services, 'store'>,
  texts: readonly string[],
  { chatId = newId(), ownerId = 'ada', model = MODEL } = {},
) {
  const at = Date.now()
  const asked = texts.map((text) => {
    const [id, branchId] = [newId(), newId()]
    const data = { id, role: 'user', parts: [{ type: 'text', text }] }
    const message = { id, name: 'user', data, preview: text, createdAt: at }
    return { message, run: { runId: newId(), branchId, replyTo: id, replyId: newId(), model } }
  })
  const [first] = asked
  if (!first) throw new Error('No question')
  const steps = asked.flatMap(({ message, run }): Step[] => [
    ...(run === first.run ? [] : [openBeside(run.branchId, first.message.id)]),
    { kind: 'append', branchId: run.branchId, expectedHead: null, messages: [message] },
    { kind: 'queue-run', ...run },
  ])
  await store.commit({ chatId, at, create: { userId: ownerId, branchId: first.run.branchId }, steps })
  return { chatId, runs: asked.map(({ run }) => run), run: first.run }
}

/** A branch that begins where a first message does. */
export const openBeside = (branchId: string, messageId: string): Step => ({
  kind: 'open-branch',
  branchId,
  after: 'main',
  at: null,
  activate: false,
  fork: { messageId, before: true },
})

/** Has all that the log tells taken in by those who follow it. */
export async function followLog(services: Pick<Services, 'followLog'>): Promise<void> {
  for (let more = true; more; ) ({ more } = await services.followLog())
}

/** A chat as its page opens. */
export const openPage = ({ ports }: Services, chatId: string, branch?: string) =>
  readChat(ports, { ownerId: 'ada', chatId, ...(branch ? { branch } : {}) })

/** A stored message as a line: its role, its text, and its status unless that is done. */
function lineOf({
  role,
  parts,
  metadata,
}: Awaited<ReturnType<typeof openPage>>['window']['messages'][number]): string {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return `${role}: ${text}${metadata?.status ? ` [${metadata.status}]` : ''}`
}

/** The lines of a branch, first to last. */
export async function linesOf(services: Services, chatId: string, branch?: string): Promise<string[]> {
  return (await openPage(services, chatId, branch)).window.messages.map(lineOf)
}
