import 'server-only'
import { namedSchemas } from '@/lib/protocol/fields'
import { problem } from '@/lib/protocol/problem'
import { asProblem, type Refusal } from '@/lib/runtime/front/problem-text'
import { sentences } from '../http/problem'
import type { ResponseObject } from './document'
import type { Description } from './operation'

const problemRef = { $ref: `#/components/schemas/${namedSchemas.get(problem)?.id}` }

interface DescribedRefusal extends Refusal {
  /** when it is given, for the reader of the description */
  when: string
  headers?: ResponseObject['headers']
}

const retryAfter: ResponseObject['headers'] = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
}

/** The refusals of every request of a kind, by the name the description gives them. */
const refusals: Record<string, DescribedRefusal> = {
  Invalid: {
    status: 400,
    code: 'empty_message',
    detail: 'Message cannot be empty',
    when: 'The request is not valid: the body is not JSON, a field is missing, wrong or unknown, or a text cannot be a message.',
  },
  NotSignedIn: {
    status: 401,
    code: 'unauthenticated',
    detail: sentences.unauthenticated,
    when: 'There is no session, or the key is wrong, expired or revoked. A key counts before a cookie.',
  },
  WrongOrigin: {
    status: 403,
    code: 'wrong_origin',
    detail: 'This request came from another site.',
    when: 'A page of another site sent the request with your cookie (a request with a key may come from anywhere), or the key may not do this (`insufficient_scope`): its scopes do not allow it, or it needs a session. Or a page asked for the address as part of itself, like a picture (`wrong_destination`).',
  },
  OutOfScope: {
    status: 403,
    code: 'insufficient_scope',
    detail: 'This API key may only write.',
    when: 'The key may only write, or a page asked for the address as part of itself, like a picture (`wrong_destination`).',
  },
  NotFound: {
    status: 404,
    code: 'not_found',
    detail: 'Thread not found',
    when: 'It does not exist, or it belongs to another person: the answer does not tell which.',
  },
  TooLarge: {
    status: 413,
    code: 'too_large',
    detail: 'The body is too large: 1000000 bytes at most.',
    when: 'The body is larger than this address allows.',
  },
  NotJson: {
    status: 415,
    code: 'unsupported_content_type',
    detail: 'Send JSON: Content-Type: application/json.',
    when: 'The content type is not JSON.',
  },
  WrongType: {
    status: 415,
    code: 'unsupported_type',
    detail:
      '“setup.exe” is of a type that is not taken (exe). Images (PNG, JPEG, GIF, WebP, HEIC, AVIF), PDFs, documents of Word, Excel, PowerPoint and OpenDocument, RTF, EPUB, sound (WAV, MP3), zips and text files are taken.',
    when: 'The content of the file is of a type that is not taken, or the body is no form (`unsupported_content_type`).',
  },
  TooMany: {
    status: 429,
    code: 'too_many_requests',
    detail: 'Too many requests in a short time. Wait a minute and try again.',
    when: 'There were too many requests in a minute, attempts to sign in, open streams (`too_many_streams`), or waiting searches (`too_many_searches`), long bodies (`too_many_long_bodies`), calls of agents (`too_many_calls`), exports (`too_many_exports`) or other requests that read a whole chat (`too_many_heavy_requests`), or a quota of this server is used up (`quota_exceeded`). `limit` names the limit, `used` of `allowed` are used. Without `retry_after`, only deleting something frees it.',
    headers: retryAfter,
  },
  TimedOut: {
    status: 503,
    code: 'timed_out',
    detail: sentences.timed_out,
    when: 'The database took longer than allowed (a search 2 s, another read 10 s, a write 30 s), or too many searches, exports or other heavy requests of all persons wait (`busy`). Nothing was written.',
    headers: retryAfter,
  },
}

/** The refusals as the description's responses. */
export const refusalResponses: Record<string, ResponseObject> = Object.fromEntries(
  Object.entries(refusals).map(([name, { when, headers, ...refusal }]) => [
    name,
    {
      description: when,
      headers,
      content: {
        'application/problem+json': { schema: problemRef, example: asProblem(refusal) },
      },
    },
  ]),
)

/** The refusals that an operation may meet, by status. They follow from its record. */
export function refusalsOf(operation: Description): Record<string, ResponseObject | { $ref: string }> {
  const { method, asks, input, names, takes, refusals: conflicts, unfit } = operation
  if (operation.refusesIn === 'protocol') return refusedInProtocol
  if (operation.refusesIn === 'oauth')
    return { ...refusedInOAuth, ...(asks === 'app' && { 401: unknownApp }) }
  const byViewer = asks === undefined || asks === 'session'
  const byScheduler = asks === 'scheduler'
  const writes = method !== 'get'
  const met = {
    Invalid: input?.body || input?.query || input?.headers || takes,
    NotSignedIn: byViewer || byScheduler,
    WrongOrigin: writes && !byScheduler,
    OutOfScope: !writes && byViewer,
    NotFound: names !== undefined || byScheduler,
    TooLarge: input?.body || takes,
    WrongType: takes,
    NotJson: input?.body,
    TooMany: byViewer || (writes && !byScheduler),
    TimedOut: byViewer,
  }
  const found = Object.entries(met).flatMap(([name, is]) =>
    is ? [[String(refusals[name]?.status), { $ref: `#/components/responses/${name}` }] as const] : [],
  )
  const conflict = conflicts && [
    '409',
    responseOf(409, 'The request conflicts with the present state', conflicts),
  ]
  const unable = unfit && ['422', responseOf(422, 'The request cannot be followed', unfit)]
  return Object.fromEntries([...found, ...(conflict ? [conflict] : []), ...(unable ? [unable] : [])])
}

const inProtocol = (description: string): ResponseObject => ({
  description: `${description} In the form of the protocol.`,
  content: { 'application/json': { schema: { type: 'object' } } },
})

/**
 * The refusals of an address that speaks a provider's protocol. The provider's own refusals are passed on
 * unchanged.
 */
const refusedInProtocol: Record<string, ResponseObject> = {
  400: inProtocol('The request cannot be understood.'),
  401: inProtocol('There is no key, or it is wrong, expired or revoked.'),
  403: inProtocol('The key may not do this.'),
  404: inProtocol('The model is not known, or the place of a `x-ramify-…` header.'),
  413: inProtocol('The body is too large.'),
  415: inProtocol('The content type is not JSON.'),
  429: inProtocol('There were too many requests, too many open streams, or a quota is used up.'),
  502: inProtocol('The provider could not be reached, or answered with neither JSON nor events.'),
  503: inProtocol('The database took too long.'),
}

const inOAuth = (description: string): ResponseObject => ({
  description: `${description} As \`error\` and \`error_description\` (RFC 6749).`,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: { error: { type: 'string' }, error_description: { type: 'string' } },
        required: ['error', 'error_description'],
      },
    },
  },
})

/** The refusals of addresses that apps ask. */
const refusedInOAuth: Record<string, ResponseObject> = {
  400: inOAuth('What is asked for cannot be given.'),
  413: inOAuth('The body is too large.'),
  415: inOAuth('The content type is not the one that is described.'),
  429: inOAuth('There were too many requests.'),
  503: inOAuth('The database took too long.'),
}

const unknownApp = inOAuth('The app is not registered, or its secret is wrong.')

/** One response for refusals of one status, by their codes. */
function responseOf(status: 409 | 422, why: string, refused: Record<string, string>): ResponseObject {
  const examples = Object.entries(refused).map(([code, detail]) => [
    code,
    { value: asProblem({ status, detail, code }) },
  ])
  const codes = Object.keys(refused).map((code) => `\`${code}\``)
  return {
    description: `${why}: ${codes.join(', ')}. Nothing was written.`,
    content: { 'application/problem+json': { schema: problemRef, examples: Object.fromEntries(examples) } },
  }
}
