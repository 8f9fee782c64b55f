import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Services } from '@/lib/runtime'
import { createFront } from '@/lib/runtime/front/front'
import { allOperations } from '@/lib/server/api'
import { routesBelow } from '@/lib/server/http/routes'
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

const route = routesBelow('', allOperations)

/** Gives a request of Node's server to the operation of its address. */
export const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> =>
  answer(outgoing, await handleApi(requestOf(incoming, outgoing)))

/** Gives a request to the operation of its address, as the framework does. */
export async function handleApi(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.slice(1).split('/').map(decodeURIComponent)
  return route[request.method as keyof typeof route](request, { params: Promise.resolve({ path }) })
}
