import { isApiPath, type Refusal } from '@/lib/runtime/front/problem-text'
import { isOwnOrigin } from '@/lib/runtime/front/request-origin'

/** Bytes of an action's arguments: ids and names. */
const MAX_PAYLOAD = 64_000
const MAX_ARGUMENTS = 4
const MAX_DEPTH = 8

/**
 * The refusal of a request to a page, before the framework sees it; undefined for a good request. A page takes reads, and
 * writes only by server actions, whose arguments are plain JSON here. The framework would answer other requests with a
 * 500, or with the page.
 *
 * @param publicUrl `BETTER_AUTH_URL`
 */
export async function refusePageRequest(
  request: Request,
  publicUrl: string | undefined,
): Promise<Refusal | undefined> {
  const { method, headers } = request
  if (isApiPath(new URL(request.url).pathname) || method === 'GET' || method === 'HEAD') return undefined
  // an empty one names no action, and the framework fails on it
  if (method !== 'POST' || !headers.get('next-action')) {
    return {
      status: 405,
      code: 'method_not_allowed',
      detail: `${method} is not possible here. A page can be read.`,
    }
  }
  const origin = headers.get('origin')
  if (origin !== null && !isOwnOrigin(origin, headers, publicUrl)) {
    return { status: 403, code: 'wrong_origin', detail: 'This request came from another site.' }
  }
  const isText = headers.get('content-type')?.toLowerCase().startsWith('text/plain') ?? false
  if (!isText || !isActionPayload(await readPayload(request))) {
    return { status: 400, code: 'invalid', detail: 'The body is not a list of arguments of an action.' }
  }
  return undefined
}

/**
 * True when a body has the form that our pages send to an action: a JSON array of a few plain arguments. In the framework's
 * format, strings that begin with `$` refer to parts, streams and functions. Ours never do, apart from an escaped `$$` and
 * `$undefined`.
 */
export function isActionPayload(body: string | undefined): boolean {
  if (body === undefined) return false
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return false
  }
  return Array.isArray(value) && value.length <= MAX_ARGUMENTS && value.every((item) => isPlain(item, 0))
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'string') {
    return !value.startsWith('$') || value.startsWith('$$') || value === '$undefined'
  }
  if (typeof value !== 'object' || value === null) return true
  if (depth >= MAX_DEPTH || Object.hasOwn(value, '__proto__')) return false
  return Object.values(value).every((item) => isPlain(item, depth + 1))
}

/** The body as text; undefined when it is too large or not UTF-8, or the client leaves before its end. */
async function readPayload({ body, headers, signal }: Request): Promise<string | undefined> {
  // a body that is announced need not come
  if (Number(headers.get('content-length') ?? 0) > MAX_PAYLOAD) return undefined
  const parts: Uint8Array[] = []
  let size = 0
  try {
    // the body of an aborted request never ends by itself
    const read = body?.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal })
    for await (const part of (read ?? []) as AsyncIterable<Uint8Array>) {
      size += part.byteLength
      if (size > MAX_PAYLOAD) return undefined
      parts.push(part)
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts))
  } catch {
    // not UTF-8, or aborted
    return undefined
  }
}
