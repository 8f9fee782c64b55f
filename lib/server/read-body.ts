import 'server-only'
import { checkData, InvalidDataError } from '@/lib/context'
import { RequestRefusedError } from './problem'

/** Bytes of a request body unless the route says otherwise. */
const MAX_BODY = 1_000_000

/**
 * The JSON body of a request. Refuses another content type (415), more than `maxBytes` bytes also when chunked (413),
 * and what is no JSON object in UTF-8, or nested beyond reason (400).
 */
export async function readBody(request: Request, maxBytes = MAX_BODY): Promise<Record<string, unknown>> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new RequestRefusedError(
      415,
      'unsupported_content_type',
      'Send JSON: Content-Type: application/json.',
    )
  }
  const bytes = await readBytes(request, maxBytes)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // the parser's own words would quote the body
    throw new RequestRefusedError(400, 'invalid_json', 'The body is not valid JSON in UTF-8.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RequestRefusedError(400, 'invalid_json', 'The body must be a JSON object.')
  }
  try {
    checkData(value)
  } catch (error) {
    if (error instanceof InvalidDataError) throw new RequestRefusedError(400, 'invalid', error.message)
    throw error
  }
  return value as Record<string, unknown>
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new RequestRefusedError(413, 'too_large', `The body is too large: ${maxBytes} bytes at most.`)
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const parts: Uint8Array[] = []
  let size = 0
  if (request.body) {
    for await (const part of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += part.byteLength
      if (size > maxBytes) throw tooLarge()
      parts.push(part)
    }
  }
  return Buffer.concat(parts)
}
