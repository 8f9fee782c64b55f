import 'server-only'
import type { Problem } from '@/lib/protocol'
import { components } from './components'
import type { ResponseObject } from './document'
import type { Operation } from './operation'
import { problem } from './schemas/common'

const problemRef = { $ref: `#/components/schemas/${components.get(problem)?.id}` }

interface Refusal extends Omit<Problem, 'type'> {
  /** when it is given, for the reader of the description */
  when: string
  headers?: ResponseObject['headers']
}

/** What any request of its kind may be refused with, by the name the description gives it. */
const refusals: Record<string, Refusal> = {
  Invalid: {
    ...{ status: 400, title: 'Invalid request', code: 'empty_message', detail: 'Message cannot be empty' },
    when: 'What was sent makes no sense: no JSON, a field that is missing, wrong or unknown, text that cannot be a message.',
  },
  NotSignedIn: {
    ...{ status: 401, title: 'Not signed in', code: 'unauthenticated' },
    detail: 'Sign in first, as a guest or with your account.',
    when: 'No session, or a key that is wrong, expired or revoked, whatever cookie stands beside it.',
  },
  WrongOrigin: {
    ...{ status: 403, title: 'Not allowed from here', code: 'wrong_origin' },
    detail: 'This request came from another site.',
    when: 'A page of another site sent this with your cookie; requests with a key are not asked where they come from. Or the key may not do this (`insufficient_scope`).',
  },
  OutOfScope: {
    ...{ status: 403, title: 'Not allowed from here', code: 'insufficient_scope' },
    detail: 'This API key may only write.',
    when: 'The key may only write.',
  },
  NotFound: {
    ...{ status: 404, title: 'Not found', code: 'not_found', detail: 'Thread not found' },
    when: 'What was named is not there, or not yours: there is no telling which.',
  },
  TooLarge: {
    ...{ status: 413, title: 'Too large', code: 'too_large' },
    detail: 'The body is too large: 1000000 bytes at most.',
    when: 'The body is larger than this address takes.',
  },
  NotJson: {
    ...{ status: 415, title: 'Unsupported content type', code: 'unsupported_content_type' },
    detail: 'Send JSON: Content-Type: application/json.',
    when: 'The body is not said to be JSON.',
  },
  TooMany: {
    ...{ status: 429, title: 'Too many requests', code: 'too_many_requests' },
    detail: 'That was a lot at once. Wait a minute and go on.',
    when: 'More writes or reads in a minute than one person may make, more streams at once (`too_many_streams`), more attempts to sign in, more searches than may wait (`too_many_searches`); or a limit of this server is reached (`quota_exceeded`). `limit` names it, `used` of `allowed` are used, and `retry_after` is missing where it frees only when something is deleted.',
    headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } },
  },
  TimedOut: {
    ...{ status: 503, title: 'Unavailable', code: 'timed_out' },
    detail:
      'This took the database too long, and nothing was changed. Try again in a moment; search with more or longer words, or in one chat.',
    when: 'It took the database longer than it may (a search 2 s, another read 10 s, a write 30 s), or too many searches wait (`busy`). Nothing was written.',
    headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } },
  },
}

/** The refusals as the description's responses. */
export const refusalResponses: Record<string, ResponseObject> = Object.fromEntries(
  Object.entries(refusals).map(([name, { when, headers, ...refusal }]) => [
    name,
    {
      description: when,
      ...(headers ? { headers } : {}),
      content: {
        'application/problem+json': { schema: problemRef, example: { type: 'about:blank', ...refusal } },
      },
    },
  ]),
)

/** Which refusals an operation may meet, by status. */
export function refusalsOf(operation: Operation): Record<string, ResponseObject | { $ref: string }> {
  const { method, asks, body, names, query, headers, path, conflicts } = operation
  const byViewer = asks === undefined
  const writes = method !== 'get'
  const follows = ['/api/live', '/api/threads/{id}/events', '/api/chat/{id}/stream'].includes(path)
  const namesSomething = names !== undefined || JSON.stringify(body?.example ?? '').includes('thread_id')
  const met = {
    Invalid: body || query || headers,
    NotSignedIn: byViewer || asks === 'scheduler',
    WrongOrigin: writes && asks !== 'scheduler',
    OutOfScope: !writes && byViewer,
    NotFound:
      namesSomething ||
      asks === 'scheduler' ||
      path === '/api/threads' ||
      path === '/api/live' ||
      path === '/api/chat',
    TooLarge: body,
    NotJson: body,
    TooMany: byViewer || (writes && asks !== 'scheduler') || follows,
    TimedOut: byViewer,
  }
  const found = Object.entries(met).flatMap(([name, is]) =>
    is ? [[String(refusals[name]?.status), { $ref: `#/components/responses/${name}` }] as const] : [],
  )
  const conflict = conflicts && [['409', conflictOf(conflicts)] as const]
  return Object.fromEntries([...found, ...(conflict ?? [])])
}

function conflictOf(conflicts: Record<string, string>): ResponseObject {
  const examples = Object.entries(conflicts).map(([code, detail]) => [
    code,
    { value: { type: 'about:blank', title: 'Conflict', status: 409, detail, code } satisfies Problem },
  ])
  return {
    description: `It stands against what is there: ${Object.keys(conflicts)
      .map((code) => `\`${code}\``)
      .join(', ')}. Nothing was written.`,
    content: { 'application/problem+json': { schema: problemRef, examples: Object.fromEntries(examples) } },
  }
}
