import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Services } from '@/lib/runtime'
import { createFront } from '@/lib/runtime/front/front'
import { allOperations } from '@/lib/server/api'
import { answer, listening, requestOf } from './http-servers'

const shared = globalThis as typeof globalThis & { __ramifyServices?: Promise<Services> | undefined }

/**
 * Serves every operation of the API over HTTP, behind the server's own front, without the framework. A test replaces what
 * the framework gives to handlers: `after` of `next/server`.
 */
export async function serveApi(services: Services): Promise<{ url: string; close(): Promise<void> }> {
  shared.__ramifyServices = Promise.resolve(services)
  const { url, close } = await listening(createFront((request, response) => void serve(request, response)))
  return {
    url,
    async close() {
      delete shared.__ramifyServices
      await close()
    },
  }
}

const routes = allOperations.map(({ method, path, handle }) => ({
  method: method.toUpperCase(),
  pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  handle,
}))

/** Gives a request of Node's server to the operation of its address. */
export const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> =>
  answer(outgoing, await handleApi(requestOf(incoming, outgoing)))

/** Gives a request to the operation of its address, as the framework does. */
export async function handleApi(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  for (const route of routes) {
    const found = route.method === request.method && route.pattern.exec(pathname)
    if (!found) continue
    const params = Object.fromEntries(
      Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    )
    return route.handle(request, { params: Promise.resolve(params) })
  }
  return new Response('Nothing is here.', { status: 404 })
}
