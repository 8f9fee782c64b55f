import { afterAll, beforeAll, expect, vi } from 'vitest'
import type { Services } from '@/lib/runtime'
import { apiDocument } from '@/lib/server/api/openapi'
import type { Operation } from '@/lib/server/api/operation'
import { DescribedApi } from './described-api'
import { asProcess } from './identity-world'
import { type DatabaseKind, databaseEnv } from './open-stores'

interface Asking {
  /** the id in the address */
  id?: string | undefined
  /** what follows the address, from its question mark on */
  query?: string | undefined
  headers?: Record<string, string> | undefined
  body?: unknown
}

/**
 * An application on a database of its own for the tests of a block, which it opens before them and closes after. Its log
 * stays silent.
 *
 * @param asked where the test's stand-in for the framework finds the headers of a request
 */
export function useApi(name: DatabaseKind, asked: { headers: Headers }, env: Record<string, string> = {}) {
  const described = new DescribedApi(apiDocument)
  let services: Services
  let database: Awaited<ReturnType<typeof databaseEnv>>
  beforeAll(async () => {
    database = await databaseEnv(name)
    services = await asProcess({
      ...{ ...database.env, RAMIFY_RATE_LIMIT: 'off', ...env },
      BETTER_AUTH_SECRET: 'a-secret-for-these-tests-and-nothing-else',
    })
    vi.spyOn(console, 'log').mockImplementation(() => undefined)
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await services?.database.close()
    await database?.remove()
  })
  return {
    get services() {
      return services
    },
    /** Asks an operation as over HTTP. Its answer is checked against the API's description. */
    async ask(operation: Operation, { id = '', query = '', headers, body }: Asking = {}) {
      const path = operation.path.replace('{id}', encodeURIComponent(id))
      const method = operation.method.toUpperCase()
      const request = new Request(`http://localhost:3000${path}${query}`, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      asked.headers = request.headers
      const response = await operation.handle(request, { params: Promise.resolve({ id }) })
      const text = await response.text()
      const type = response.headers.get('content-type') ?? ''
      const answer = { status: response.status, type, body: text === '' ? undefined : JSON.parse(text) }
      expect(described.faultsOf(method, path, answer), text).toEqual([])
      return { ...answer, text, headers: response.headers }
    },
  }
}
