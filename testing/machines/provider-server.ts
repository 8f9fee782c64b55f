import { createServer, type IncomingHttpHeaders } from 'node:http'
import { close, listen } from './listen'

/** What a provider was asked. */
export interface ProviderRequest {
  method: string
  /** with its query */
  path: string
  headers: IncomingHttpHeaders
  /** the body as it came */
  text: string
  /** the JSON in it */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows its protocol
  body: any
}

/** What a provider answers: exactly these bytes, in these pieces. */
export interface ProviderAnswer {
  status?: number
  headers?: Record<string, string>
  pieces: readonly (string | Uint8Array)[]
  /** called before each piece, which waits for what it returns */
  before?: (index: number) => Promise<unknown> | undefined
  /** destroys the connection after the last piece */
  cut?: boolean
}

/** A real HTTP server that stands in for any provider; `early` is the status of a refusal before the body is read. */
export async function startProvider(
  answer: (request: ProviderRequest, index: number) => ProviderAnswer | Promise<ProviderAnswer>,
  early: () => number | undefined = () => undefined,
) {
  const requests: ProviderRequest[] = []
  let arrivals = 0
  let bytes = 0
  let taken = 0
  const server = createServer(async (incoming, response) => {
    arrivals += 1
    const refused = early()
    if (refused !== undefined) return void response.writeHead(refused, { connection: 'close' }).end('{}')
    const parts: Buffer[] = []
    try {
      for await (const part of incoming as AsyncIterable<Buffer>) {
        bytes += part.length
        parts.push(part)
      }
    } catch {
      taken += 1
      return
    }
    const text = Buffer.concat(parts).toString('utf8')
    const isJson = incoming.headers['content-type']?.startsWith('application/json')
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    }
    requests.push(request)
    const { status = 200, headers, pieces, before, cut } = await answer(request, requests.length - 1)
    const type = String(pieces[0]).startsWith('{') ? 'application/json' : 'text/event-stream'
    response.writeHead(status, { 'content-type': type, ...headers })
    response.flushHeaders()
    for (const [index, piece] of pieces.entries()) {
      await before?.(index)
      await new Promise<void>((sent) => response.write(piece, () => sent()))
    }
    if (cut) response.socket?.destroySoon()
    else response.end()
  })
  return {
    url: `http://127.0.0.1:${await listen(server)}/v1`,
    requests,
    /** requests that have begun, also those that were taken back */
    get arrivals() {
      return arrivals
    },
    /** requests that were taken back before they were whole */
    get taken() {
      return taken
    },
    /** bytes of all requests so far, also of those that are not whole */
    get bytes() {
      return bytes
    },
    /** how many connections are open */
    connections: () =>
      new Promise<number>((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    close: () => close(server),
  }
}
