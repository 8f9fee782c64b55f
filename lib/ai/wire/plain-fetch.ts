import { pipeline, type Readable, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import type { Dispatcher } from 'undici'
import { streamFrom } from '../stream-from'

/** Answers that have no body, by their status. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * The codings that an answer is read in, by their names. Each chunk of a coded answer is passed on at once, also of
 * an answer that is cut off.
 */
const codings: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(untilCut),
  'x-gzip': () => zlib.createGunzip(untilCut),
  deflate: () => zlib.createInflate(untilCut),
  br: () =>
    zlib.createBrotliDecompress({
      flush: zlib.constants.BROTLI_OPERATION_FLUSH,
      finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
    }),
  // Node has it since 22.15
  ...(zlib.createZstdDecompress && { zstd: () => zlib.createZstdDecompress() }),
}

const untilCut = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH }

/** Tells whether an answer can be read in each coding of an `Accept-Encoding`. */
export const readsCodings = (accepted: string): boolean =>
  accepted.split(',').every((item) => {
    const name = item.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    return name === '' || name === 'identity' || Object.hasOwn(codings, name)
  })

/**
 * `fetch` that adds no header of its own: it sends the given headers, and the ones that a connection needs. The
 * platform's `fetch` also tells languages, and that it is a browser. It follows no redirect.
 *
 * @throws TypeError as `fetch` does, and the reason of an aborted signal
 */
export const plainFetch =
  (dispatcher: Dispatcher): typeof globalThis.fetch =>
  async (input, { method = 'GET', headers: given, body, signal } = {}) => {
    const { origin, pathname, search } = new URL(String(input))
    const asked = {
      origin,
      path: pathname + search,
      method: method as Dispatcher.HttpMethod,
      headers: [...new Headers(given)].flat(),
      // undici takes what fetch takes here, and what can be iterated
      body: (body ?? null) as Dispatcher.RequestOptions['body'],
      signal: signal ?? null,
    }
    const answer = await dispatcher.request(asked).catch((cause: unknown) => {
      signal?.throwIfAborted()
      throw new TypeError('fetch failed', { cause })
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers))
      for (const each of Array.isArray(value) ? value : [value])
        if (each !== undefined) headers.append(name, Buffer.from(each, 'utf8').toString('latin1'))
    const { statusCode: status } = answer
    if (method === 'HEAD' || bodiless.has(status)) {
      await answer.body.dump()
      return new Response(null, { status, headers })
    }
    const read = streamFrom(partsOf(decoded(answer.body, headers), signal))
    return new Response(read, { status, headers })
  }

/** A body without its codings; as it came where one is not known. */
function decoded(body: Readable, headers: Headers): Readable {
  const names = headers.get('content-encoding')?.toLowerCase().split(',') ?? []
  const decoders = names.map((name) => codings[name.trim()]).reverse()
  let plain = body
  if (!decoders.every((decoder) => decoder !== undefined)) return plain
  // the reader gets what breaks it
  for (const decoder of decoders) plain = pipeline(plain, decoder(), () => undefined)
  return plain
}

async function* partsOf(body: Readable, signal: AbortSignal | null | undefined): AsyncGenerator<Uint8Array> {
  try {
    yield* body as AsyncIterable<Uint8Array>
  } catch (cause) {
    signal?.throwIfAborted()
    throw new TypeError('terminated', { cause })
  }
}
