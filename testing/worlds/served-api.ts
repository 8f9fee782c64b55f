import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { Services } from '@/lib/runtime'
import { createFront } from '@/lib/runtime/front/front'
import { allOperations } from '@/lib/server/api'

const shared = globalThis as typeof globalThis & { __ramifyServices?: Promise<Services> | undefined }

/**
 * Serves every operation of the API over HTTP, behind the server's own front, without the framework. A test replaces what
 * the framework gives to handlers: `after` of `next/server`.
 */
export async function serveApi(services: Services): Promise<{ url: string; close(): Promise<void> }> {
  shared.__ramifyServices = Promise.resolve(services)
  const server = createFront((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      delete shared.__ramifyServices
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const routes = allOperations.map(({ method, path, handle }) => ({
  method: method.toUpperCase(),
  pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  handle,
}))

/** Gives a request of Node's server to the operation of its address. */
export const serve = (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> =>
  passOn(incoming, outgoing, async (request) => {
    const { pathname } = new URL(request.url)
    for (const route of routes) {
      const found = route.method === request.method && route.pattern.exec(pathname)
      if (!found) continue
      const params = Object.entries(found.groups ?? {}).map(([name, value]) => [
        name,
        decodeURIComponent(value),
      ])
      return route.handle(request, { params: Promise.resolve(Object.fromEntries(params)) })
    }
    return new Response('Nothing is here.', { status: 404 })
  })

/** Gives a request of Node's server to a handler of the web's, as the framework does; `body` where it was read before. */
export async function passOn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: (request: Request) => Promise<Response>,
  { body, onDeparture }: { body?: Buffer<ArrayBuffer>; onDeparture?: () => void } = {},
): Promise<void> {
  const left = new AbortController()
  outgoing.on('close', () => {
    if (outgoing.writableFinished) return
    left.abort()
    onDeparture?.()
  })
  const { method = 'GET', url = '/', headers } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const request = new Request(`http://${headers.host}${url}`, {
    ...{ method, signal: left.signal, duplex: 'half' },
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
    ...(hasBody && { body: body ?? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) }),
  })
  const response = await handle(request)
  outgoing.setHeaders(response.headers).writeHead(response.status)
  if (!response.body) return void outgoing.end()
  // a client that leaves ends the pipeline
  return pipeline(Readable.fromWeb(response.body as WebStream), outgoing).catch(() => undefined)
}
