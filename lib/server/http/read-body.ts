import 'server-only'
import { checkData, InvalidDataError } from '@/lib/context'
import { JsonGate, JsonRefusedError } from './json-gate'
import { RequestRefusedError } from './problem'

/** Limits of a body; each has a default. */
export interface BodyLimits {
  bytes?: number
  /** values of any kind, in lists and objects */
  values?: number
  /** a list at the top of the body; only its last element is read */
  lastOf?: string
}

const MAX_BYTES = 1_000_000
const MAX_VALUES = 1000
/** The same depth as for stored data (`checkData`). */
const MAX_DEPTH = 64

/**
 * The JSON body of a request. Refuses another content type (415), too many bytes, also when chunked (413), too many
 * values or levels (413, 400), and anything but a JSON object in UTF-8 (400): each while it is read, before any value is
 * built.
 */
export async function readBody(
  request: Request,
  { bytes: maxBytes = MAX_BYTES, values = MAX_VALUES, lastOf }: BodyLimits = {},
): Promise<Record<string, unknown>> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new RequestRefusedError(
      415,
      'unsupported_content_type',
      'Send JSON: Content-Type: application/json.',
    )
  }
  const gate = new JsonGate({ depth: MAX_DEPTH, values, ...(lastOf === undefined ? {} : { lastOf }) })
  try {
    const bytes = await readThrough(gate, request, maxBytes)
    const value = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>
    checkData(value)
    return value
  } catch (error) {
    if (error instanceof JsonRefusedError) throw refusalOf(error, values)
    if (error instanceof InvalidDataError) throw new RequestRefusedError(400, 'invalid', error.message)
    throw error
  }
}

async function readThrough(gate: JsonGate, request: Request, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new RequestRefusedError(413, 'too_large', `The body is too large: ${maxBytes} bytes at most.`)
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  // the whole body must be UTF-8, dropped elements too
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let size = 0
  if (request.body) {
    for await (const part of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += part.byteLength
      if (size > maxBytes) throw tooLarge()
      checkUtf8(utf8, part)
      gate.push(part)
    }
  }
  checkUtf8(utf8)
  return gate.end()
}

/** The next bytes of a text; without any, its end. */
function checkUtf8(decoder: TextDecoder, bytes?: Uint8Array): void {
  try {
    decoder.decode(bytes, { stream: bytes !== undefined })
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
