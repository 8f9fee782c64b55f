import { EventEmitter, once } from 'node:events'
import { afterAll, beforeAll, beforeEach, vi } from 'vitest'
import { newId } from '@/lib/events'
import type { Services } from '@/lib/runtime'
import * as gateway from '@/lib/server/api/gateway'
import { passUnstored } from '@/lib/server/gateway/pass-unstored'
import { type ProviderAnswer, type ProviderRequest, startProvider } from '@/testing/machines/provider-server'
import { answer, requestOf, serveHttp } from './http-servers'
import { asProcess } from './identity-world'
import { type DatabaseKind, databaseEnv } from './open-stores'

const operations = Object.values(gateway)

/** An application whose addresses for agents are served over HTTP, on a database of its own. Its log stays silent. */
async function openGateway(kind: DatabaseKind, env: Record<string, string>) {
  const database = await databaseEnv(kind)
  const services = await asProcess({
    ...database.env,
    RAMIFY_RATE_LIMIT: 'off',
    RAMIFY_LOCAL_MODELS: 'off',
    RAMIFY_DEMO_DELAY_MS: '0',
    RAMIFY_PRIVATE_ADDRESSES: 'on',
    BETTER_AUTH_SECRET: 'a-secret-for-these-tests-and-nothing-else',
    ...env,
  })
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const departed = new EventEmitter()
  const served = await serveHttp(async (incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://localhost')
    const operation = operations.find(
      ({ method, path }) =>
        method.toUpperCase() === incoming.method &&
        (path === pathname || (path.includes('{') && pathname.startsWith(path.split('{')[0] ?? ''))),
    )
    const request = requestOf(incoming, outgoing)
    request.signal.addEventListener('abort', () => departed.emit('departure'))
    const id = decodeURIComponent(pathname.split('/').at(-1) ?? '')
    const handle = operation?.handle ?? passUnstored
    await answer(outgoing, await handle(request, { params: Promise.resolve({ id }) }))
  })
  return {
    services,
    url: served.url,
    /** The next time that a client leaves before its answer is whole. */
    departure: () => once(departed, 'departure'),
    /** A person and a key of theirs. */
    person: async (scopes?: ('read' | 'write')[]) => person(services, scopes),
    close: async () => {
      await served.close()
      await services.database.close()
      await database.remove()
      vi.restoreAllMocks()
    },
  }
}

/**
 * The application and its provider for the tests of a block; each test begins with a new person, and a provider that `answers`
 * with nothing yet. The server's keys are of OpenAI and Anthropic.
 */
export function useGateway(
  kind: DatabaseKind,
  options: { env?: (provider: string) => Record<string, string>; early?: () => number | undefined } = {},
) {
  let world: Awaited<ReturnType<typeof openGateway>>
  let provider: Awaited<ReturnType<typeof startProvider>>
  let someone: Awaited<ReturnType<typeof person>>
  const given: { answer: (request: ProviderRequest, index: number) => ProviderAnswer } = {
    answer: () => ({ pieces: [] }),
  }
  beforeAll(async () => {
    provider = await startProvider((request, index) => given.answer(request, index), options.early)
    world = await openGateway(kind, {
      OPENAI_API_KEY: 'sk-of-the-server-openai',
      OPENAI_BASE_URL: provider.url,
      ANTHROPIC_API_KEY: 'sk-of-the-server-anthropic',
      ANTHROPIC_BASE_URL: provider.url,
      ...options.env?.(provider.url),
    })
  })
  afterAll(async () => {
    await world?.close()
    await provider?.close()
  })
  beforeEach(async () => {
    someone = await world.person()
    provider.requests.length = 0
  })
  return {
    /** how the provider answers from now on */
    given,
    get world() {
      return world
    },
    get provider() {
      return provider
    },
    get person() {
      return someone
    },
    /** asks an address of the gateway, as the person unless the headers say otherwise */
    post: (path: string, body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) =>
      fetch(`${world.url}/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${someone.key}`, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(signal && { signal }),
      }),
  }
}

async function person(services: Services, scopes?: ('read' | 'write')[]) {
  const id = newId()
  await services.database.query('insert into "user" (id, name, email) values ($1, $1, $1)', [id])
  const made = await services.apiKeys.create(id, { id: newId(), name: 'agent', ...(scopes && { scopes }) })
  if (!made?.made) throw new Error('No key')
  return { id, key: made.key }
}

/** The messages from the first to one, each as its role and what it says, its calls and its results. */
export async function chainOf({ ports }: Services, chatId: string, messageId: string): Promise<string[]> {
  const chain = await ports.store.getMessageChain(chatId, messageId)
  return chain.map(({ data }) => lineOf(data as Message))
}

interface Message {
  role: string
  parts: Record<string, unknown>[]
}

const lineOf = ({ role, parts }: Message): string =>
  `${role}: ${parts.map(wordsOf).filter(Boolean).join(' ')}`

/** All messages of a person, each with those before it, line by line; and how many chats there are. */
export async function linesOf({ database }: Services, ownerId: string) {
  const rows = await database.query<{
    chat: string
    id: string
    parent: string | null
    data: Message | string
  }>(
    `select m.chat_id as chat, m.id, m.parent_id as parent, m.data
     from messages m join chats c on c.id = m.chat_id where c.user_id = $1 order by m.depth`,
    [ownerId],
  )
  const lines = new Map<string, string>()
  for (const { chat, id, parent, data } of rows) {
    const before = parent === null ? '' : `${lines.get(`${chat} ${parent}`)}\n`
    lines.set(`${chat} ${id}`, before + lineOf(typeof data === 'string' ? JSON.parse(data) : data))
  }
  return { chats: new Set(rows.map(({ chat }) => chat)).size, lines: [...lines.values()] }
}

function wordsOf({
  type,
  text,
  mediaType,
  input,
  output,
  errorText,
  ...part
}: Record<string, unknown>): string {
  if (type === 'text') return String(text)
  if (type === 'reasoning') return `(${text})`
  if (type === 'file') return `[${mediaType}]`
  if (type === 'data-item') return `<${(part.data as { item: { type?: string } }).item?.type}>`
  const name = type === 'dynamic-tool' ? part.toolName : String(type).replace(/^tool-/, '')
  const result = errorText ?? output
  const said = typeof result === 'string' || result === undefined ? result : JSON.stringify(result)
  return `${name}(${JSON.stringify(input)})${said === undefined ? '' : ` = ${said}`}`
}
