import { expect } from 'vitest'
import { takeOverRuns } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { handleAuth } from '@/lib/server/api/access'
import { apiDocument } from '@/lib/server/api/openapi'
import type { Operation } from '@/lib/server/api/operation'
import type { KeyScope } from '@/lib/store'
import { DescribedApi } from './described-api'
import { inRequestOf } from './framework'
import { asProcess, Browser } from './identity-world'
import { type DatabaseKind, databaseEnv } from './open-stores'
import { useWorld } from './use-world'

interface Asking {
  /** the id in the address */
  id?: string | undefined
  /** the other ids in the address, by their names there */
  within?: Record<string, string> | undefined
  /** what follows the address, from its question mark on */
  query?: string | undefined
  headers?: Record<string, string> | undefined
  /** sent as JSON */
  body?: unknown
  /** sent in place of `body`, as it is */
  raw?: BodyInit | undefined
  signal?: AbortSignal | undefined
}

/** One of those who ask: a browser, a script, or a stranger. */
export interface Caller {
  ask(operation: Operation, asking?: Asking): Promise<ApiAnswer>
}

export interface Person extends Caller {
  id: string
  browser: Browser
  /** the person's script, with a new key */
  script(scopes?: readonly KeyScope[]): Promise<Caller & { key: string }>
}

type ApiAnswer = Awaited<ReturnType<ReturnType<typeof useApi>['ask']>>

const site = 'http://localhost:3000'
const described = new DescribedApi(apiDocument)

/**
 * An application on a database of its own for the tests of a block, which it opens before them and closes after. Its log
 * stays silent.
 */
export function useApi(name: DatabaseKind, env: Record<string, string> = {}) {
  const { world, ...logged } = useWorld(async () => {
    const database = await databaseEnv(name)
    const services = await asProcess({
      ...database.env,
      RAMIFY_RATE_LIMIT: 'off',
      RAMIFY_LOCAL_MODELS: 'off',
      RAMIFY_TITLES: 'words',
      RAMIFY_DEMO_DELAY_MS: '0',
      RAMIFY_SIGN_IN_LIMIT: 'off',
      ...env,
      BETTER_AUTH_SECRET: 'a-secret-for-these-tests-and-nothing-else',
    })
    return {
      services,
      async close() {
        await services.database.close()
        await database.remove()
      },
    }
  })

  /** Asks an operation as over HTTP, and leaves the answer to be read. */
  async function respond(operation: Operation, asking: Asking = {}): Promise<Response> {
    const { id = '', within = {}, query = '', headers, body, raw, signal } = asking
    const [, named = 'id'] = /\{(\w+)\}/.exec(operation.path) ?? []
    const params: Record<string, string> = { ...within, [named]: id }
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''))
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const isJson = raw === undefined && body !== undefined
    const request = new Request(`${site}${path}${query}`, {
      method: operation.method.toUpperCase(),
      signal: signal ?? null,
      duplex: 'half',
      headers: { host: 'localhost:3000', ...(isJson && { 'content-type': 'application/json' }), ...headers },
      ...(sent !== undefined && { body: sent }),
    } as RequestInit)
    return inRequestOf(request, () => operation.handle(request, { params: Promise.resolve(params) }))
  }

  /** Asks an operation as over HTTP. An answer in JSON, or without content, is checked against the API's description. */
  async function ask(operation: Operation, asking: Asking = {}) {
    const response = await respond(operation, asking)
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = bytes.toString()
    const type = response.headers.get('content-type') ?? ''
    // a file is what its owner sent
    const isJson =
      /\bapplication\/(?:\w+\+)?json\b/.test(type) && !response.headers.has('content-disposition')
    // biome-ignore lint/suspicious/noExplicitAny: the description checks it, and the test knows its type
    const body: any = text === '' ? undefined : isJson ? JSON.parse(text) : text
    const answer = { status: response.status, type, body }
    if (isJson || response.status === 204)
      expect(described.faultsOf(operation.method, operation.path, answer), text.slice(0, 500)).toEqual([])
    return { ...answer, text, bytes, headers: response.headers }
  }
  const caller = (credential: Record<string, string> = {}): Caller => ({
    ask: (operation, asking = {}) =>
      ask(operation, { ...asking, headers: { ...credential, ...asking.headers } }),
  })

  return {
    get services() {
      return world.services
    },
    ...logged,
    ask,
    respond,
    caller,
    query: <Row extends object>(sql: string, ...values: unknown[]) =>
      world.services.database.query<Row>(sql, values),
    /** has every queued reply written, as a worker would */
    answerAll: async () => (await takeOverRuns(world.services.ports)).ended,
    /** A guest in a browser. */
    async person(): Promise<Person> {
      const browser = new Browser(handleAuth, site)
      const { id } = (await browser.post('sign-in/anonymous')).body.user as { id: string }
      return {
        id,
        browser,
        ask: (operation, asking) => caller({ cookie: browser.cookie }).ask(operation, asking),
        async script(scopes) {
          const made = await world.services.apiKeys.create(id, {
            id: newId(),
            name: 'script',
            ...(scopes && { scopes }),
          })
          if (!made?.made) throw new Error('No key')
          return { key: made.key, ...caller({ authorization: `Bearer ${made.key}` }) }
        },
      }
    },
  }
}
