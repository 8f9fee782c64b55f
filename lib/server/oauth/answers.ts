import 'server-only'
import {
  CustomOAuthError,
  InvalidClientError,
  InvalidRequestError,
  OAuthError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { isStorable } from '@/lib/protocol/fields'
import { logError } from '@/lib/runtime'
import type { Handler } from '../api/operation'
import { RequestRefusedError, toProblem } from '../http/problem'
import { bodyParts } from '../http/read-body'
import { noteRefusal } from '../http/refused-access'
import { forAnyPage } from '../http/routes'

const MAX_BYTES = 10_000
const MOST_FIELDS = 20

/** The fields of a form, each at most once. */
export async function readForm(request: Request): Promise<ReadonlyMap<string, string>> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') {
    const detail = 'Send a form: Content-Type: application/x-www-form-urlencoded.'
    throw new RequestRefusedError(415, 'invalid_request', detail)
  }
  const tooLarge = () =>
    new RequestRefusedError(413, 'invalid_request', `The form is too large: ${MAX_BYTES} bytes at most.`)
  // a body that is announced need not come
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES) throw tooLarge()
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of bodyParts(request)) {
    size += part.byteLength
    if (size > MAX_BYTES) throw tooLarge()
    parts.push(part)
  }
  const fields = [...new URLSearchParams(new TextDecoder().decode(Buffer.concat(parts)))]
  const form = new Map(fields)
  if (form.size !== fields.length || fields.length > MOST_FIELDS)
    throw new InvalidRequestError('A field stands more than once, or there are too many.')
  if (!fields.flat().every(isStorable)) throw new InvalidRequestError('The form is not plain text.')
  return form
}

/** An answer to an app that no cache keeps: it holds secrets. */
export const secretAnswer = (value: object, status = 200): Response =>
  Response.json(value, { status, headers: { ...forAnyPage, 'cache-control': 'no-store' } })

/** Answers an app; a refusal has the form of OAuth (RFC 6749 §5.2). */
export const inOAuth =
  (answer: (request: Request) => Promise<Response>): Handler =>
  async (request) => {
    try {
      return await answer(request)
    } catch (error) {
      return refuse(error, request)
    }
  }

function refuse(error: unknown, request: Request): Response {
  if (error instanceof InvalidClientError) {
    noteRefusal(new RequestRefusedError(401, error.errorCode, error.message), request)
    const refused = secretAnswer(error.toResponseObject(), 401)
    refused.headers.set('www-authenticate', 'Basic realm="Ramify"')
    return refused
  }
  if (error instanceof OAuthError) return secretAnswer(error.toResponseObject(), 400)
  const { status, detail, retry_after: wait } = toProblem(error)
  if (status === 500) logError('oauth', error)
  const code = status === 429 ? 'too_many_requests' : status >= 500 ? 'server_error' : 'invalid_request'
  const refused = secretAnswer(new CustomOAuthError(code, detail).toResponseObject(), status)
  if (wait !== undefined) refused.headers.set('retry-after', String(wait))
  return refused
}
