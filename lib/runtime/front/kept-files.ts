import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FrontHandler } from './front.ts'
import { setHeaders } from './problem-answers.ts'

/** The scripts and styles of the build. A file has one such address: others, escaped or with a query, would be kept once more each. */
const keptPath = /^\/_next\/static\/(?:[\w~-][\w.~-]*\/)*[\w~-][\w.~-]*\.(?:css|js)$/

const compressors = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      // 7 % smaller than gzip in the same time; the best quality takes forty times as long
      params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: promisify(gzip),
}
type Encoding = keyof typeof compressors

interface KeptFile {
  headers: [string, OutgoingHttpHeader][]
  body: Buffer
}

/**
 * Answers the scripts and styles of the build from memory, compressed once: the framework reads and
 * compresses each of the 35 of a page anew for every visitor. Only files that `handler` calls immutable are
 * kept.
 */
export function keepFiles(handler: FrontHandler): FrontHandler {
  const kept = new Map<string, KeptFile>()
  return (request, response) => {
    const encoding = encodingFor(request)
    if (!encoding) return handler(request, response)
    const key = `${encoding} ${request.url}`
    const file = kept.get(key)
    if (file) return answer(response, file)
    delete request.headers['accept-encoding']
    whenWhole(response, async (body) => {
      if (!isImmutable(response)) return body
      const compressed = await compressors[encoding](body)
      response.setHeader('content-encoding', encoding)
      response.setHeader('content-length', compressed.length)
      response.setHeader('vary', 'Accept-Encoding')
      // parts are asked of the file as it is
      response.removeHeader('accept-ranges')
      const headers = Object.entries(response.getHeaders()).flatMap(([name, value]): KeptFile['headers'] =>
        value === undefined ? [] : [[name, value]],
      )
      kept.set(key, { headers, body: compressed })
      return compressed
    })
    return handler(request, response)
  }
}

/**
 * Encoding of a file that may be kept: undefined for another address, and for a part of a file or a check of
 * it.
 */
function encodingFor({ method, url = '', headers }: IncomingMessage): Encoding | undefined {
  if (method !== 'GET' || !keptPath.test(url)) return
  if (headers.range || headers['if-none-match'] || headers['if-modified-since']) return
  const accepted = new Set(
    (headers['accept-encoding'] ?? '')
      .split(',')
      .filter((item) => !/;\s*q=0(?:\.0*)?\s*$/.test(item))
      .map((item) => item.split(';')[0]?.trim().toLowerCase()),
  )
  return (['br', 'gzip'] as const).find((encoding) => accepted.has(encoding))
}

const isImmutable = (response: ServerResponse): boolean =>
  response.statusCode === 200 &&
  !response.hasHeader('content-encoding') &&
  String(response.getHeader('cache-control')).includes('immutable')

function answer(response: ServerResponse, { headers, body }: KeptFile): void {
  for (const [name, value] of headers) response.setHeader(name, value)
  response.end(body)
}

/** Holds a response until it is whole, and sends the result of `change`. */
function whenWhole(response: ServerResponse, change: (body: Buffer) => Promise<Buffer>): void {
  const { writeHead, flushHeaders, write, end } = response
  const chunks: Buffer[] = []
  const take = ([chunk, encoding]: unknown[]) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding as BufferEncoding | undefined))
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  const done = (args: unknown[]) => args.find((arg) => typeof arg === 'function') as (() => void) | undefined
  Object.assign(response, {
    writeHead(status: number, ...rest: unknown[]) {
      response.statusCode = status
      setHeaders(response, rest.at(-1))
      return response
    },
    flushHeaders: () => undefined,
    write(...args: unknown[]) {
      take(args)
      const written = done(args)
      if (written) process.nextTick(written)
      return true
    },
    end(...args: unknown[]) {
      take(args)
      Object.assign(response, { writeHead, flushHeaders, write, end })
      change(Buffer.concat(chunks)).then(
        (body) => response.end(body, done(args)),
        (error: Error) => response.destroy(error),
      )
      return response
    },
  })
}
