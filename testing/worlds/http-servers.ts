import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'

const closes = new Set<() => Promise<void>>()

/** Serves HTTP on this machine until `close`, or until {@link closeServers}, which belongs into `afterEach`. */
export async function serveHttp(listener: RequestListener) {
  const served = await listening(createServer(listener))
  const close = async () => {
    closes.delete(close)
    await served.close()
  }
  closes.add(close)
  return { ...served, close }
}

export async function closeServers(): Promise<void> {
  for (const close of closes) await close()
}

/** Has a server listen on this machine, until `close`. */
export async function listening(server: Server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
  return { port, url: `http://127.0.0.1:${port}`, close }
}

/** A request of Node's server as the web has it; it is aborted when the client leaves before the answer is whole. Its body streams unless it is given. */
export function requestOf(incoming: IncomingMessage, outgoing: ServerResponse, whole?: Buffer): Request {
  const left = new AbortController()
  outgoing.on('close', () => outgoing.writableFinished || left.abort())
  const { method = 'GET', url = '/', headers } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(`http://${headers.host}${url}`, {
    method,
    signal: left.signal,
    duplex: 'half',
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
    ...(hasBody && { body: whole ?? Readable.toWeb(incoming) }),
  } as RequestInit)
}

/** Answers a request of Node's server. */
export async function answer(outgoing: ServerResponse, response: Response): Promise<void> {
  outgoing.setHeaders(response.headers).writeHead(response.status)
  if (!response.body) return void outgoing.end()
  // a client that leaves ends the pipeline
  await pipeline(Readable.fromWeb(response.body as WebStream), outgoing).catch(() => undefined)
}
