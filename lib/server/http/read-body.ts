import 'server-only'
import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { checkData, InvalidDataError } from '@/lib/context'
import { LONG_BODY } from './heavy-work'
import { JsonGate, type JsonLimits, JsonRefusedError } from './json-gate'
import { parseInTurns } from './parse-in-turns'
import { RequestRefusedError, requestEnded } from './problem'

/** Limits of a body; each has a default. */
export interface BodyLimits extends Partial<Omit<JsonLimits, 'depth'>> {
  bytes?: number
}

/** Called with each part of a body's bytes, when it and all before are well-formed; the next is read after it. */
export type OnPart = (part: Uint8Array) => Promise<void>

const MAX_BYTES = 1_000_000
const MAX_VALUES = 1000
/** The same depth as for stored data (`checkData`). */
const MAX_DEPTH = 64

/**
 * The JSON body of a request. Refuses another content type (415), too many bytes, also when chunked (413), too many
 * values or levels (413, 400), and anything but a JSON object in UTF-8 (400): each while it is read, before any value is
 * built.
 */
export async function readBody(request: Request, limits: BodyLimits = {}): Promise<Record<string, unknown>> {
  const { value } = await readText(request, limits)
  try {
    checkData(value)
  } catch (error) {
    if (error instanceof InvalidDataError) throw new RequestRefusedError(400, 'invalid', error.message)
    throw error
  }
  return value
}

/** A body that was read: its value, its text, and its bytes in the parts in which they came. */
export interface ReadText {
  value: Record<string, unknown>
  text: string
  bytes: readonly Uint8Array[]
}

/** A body as `readBody` reads it, also a compressed one, and its text. Characters that cannot be stored (NUL) are not refused. */
export async function readText(
  request: Request,
  { bytes: maxBytes = MAX_BYTES, values = MAX_VALUES, lastOf }: BodyLimits,
  onPart?: OnPart,
): Promise<ReadText> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    const detail = 'Send JSON: Content-Type: application/json.'
    throw new RequestRefusedError(415, 'unsupported_content_type', detail)
  }
  const gate = new JsonGate({ depth: MAX_DEPTH, values, lastOf })
  try {
    const read = await readThrough(gate, request, { maxBytes, keepsAll: lastOf === undefined, onPart })
    const value = read.text.length > LONG_BODY ? await parseInTurns(read.text) : JSON.parse(read.text)
    return { ...read, value: value as Record<string, unknown> }
  } catch (error) {
    if (error instanceof JsonRefusedError) throw refusalOf(error, values)
    throw error
  }
}

/** A body that passes the gate. A body that is kept whole is decoded as it comes, and never copied. */
async function readThrough(
  gate: JsonGate,
  request: Request,
  { maxBytes, keepsAll, onPart }: { maxBytes: number; keepsAll: boolean; onPart: OnPart | undefined },
): Promise<Omit<ReadText, 'value'>> {
  const tooLarge = () =>
    new RequestRefusedError(413, 'too_large', `The body is too large: ${maxBytes} bytes at most.`)
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  // the whole body must be UTF-8, dropped elements too
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let size = 0
  let text = ''
  for await (const part of plainParts(request)) {
    size += part.byteLength
    if (size > maxBytes) throw tooLarge()
    const said = decoded(utf8, part)
    if (keepsAll) text += said
    gate.push(part)
    if (onPart) await onPart(part)
  }
  text += decoded(utf8)
  const bytes = gate.end()
  return { bytes, text: keepsAll ? text : new TextDecoder().decode(Buffer.concat(bytes)) }
}

/** The codings that a body may be sent in. */
const codings: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  // in Node since 22.15
  ...(createZstdDecompress && { zstd: createZstdDecompress }),
}

/** The bytes of a body without its coding. Refuses an unknown coding (415), and bytes not in it (400). */
export async function* plainParts(request: Request): AsyncGenerator<Uint8Array, void> {
  const coding = request.headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
  if (coding === 'identity') return yield* bodyParts(request)
  const decoder = codings[coding]?.()
  if (!decoder) {
    const detail = `The content-encoding is not known here. Send the body as it is, or in ${Object.keys(codings).join(', ')}.`
    throw new RequestRefusedError(415, 'unsupported_content_encoding', detail)
  }
  const source = Readable.from(bodyParts(request))
  // the reader gets the error
  pipeline(source, decoder, () => undefined)
  try {
    yield* decoder as AsyncIterable<Uint8Array>
  } catch (error) {
    if (error instanceof RequestRefusedError) throw error
    const detail = `The body is not in the content-encoding that it names (${coding}).`
    throw new RequestRefusedError(400, 'invalid_encoding', detail)
  }
}

/** The bytes of a body as they come. Refuses the rest (408) when the client leaves before their end. */
export async function* bodyParts({ body }: Request): AsyncGenerator<Uint8Array, void> {
  try {
    // a reader that stops early leaves the connection to the answer: cancelling would end it
    yield* (body?.values({ preventCancel: true }) ?? []) as AsyncIterable<Uint8Array>
  } catch {
    // catches errors of the stream alone: the reader's errors do not come here
    throw requestEnded()
  }
}

/** The next bytes of a text; without any, its end. */
function decoded(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch {
    throw new JsonRefusedError('invalid')
  }
}

function refusalOf({ reason }: JsonRefusedError, values: number): RequestRefusedError {
  if (reason === 'depth') {
    return new RequestRefusedError(400, 'invalid', `Data must not be nested deeper than ${MAX_DEPTH} levels`)
  }
  if (reason === 'values') {
    return new RequestRefusedError(413, 'too_large', `The body holds too many values: ${values} at most.`)
  }
  // without the parser's words: they would quote the body
  return new RequestRefusedError(400, 'invalid_json', 'The body is not a JSON object in UTF-8.')
}
