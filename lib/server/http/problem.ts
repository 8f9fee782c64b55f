import 'server-only'
import { ZodError } from 'zod'
import { UnauthenticatedError } from '@/lib/auth'
import {
  BranchActiveError,
  ExpectedVersionError,
  ForeignMessageError,
  HeadConflictError,
  IdempotencyMismatchError,
  InvalidDataError,
  MessageExistsError,
  NameTakenError,
  NotFoundError,
  QuotaExceededError,
  ReplyInProgressError,
  RunOverError,
} from '@/lib/context'
import { InvalidRequestError, MessageReusedError } from '@/lib/conversations'
import type { Problem } from '@/lib/protocol'
import { GateFullError, isTimeout, QueryAbandonedError } from '@/lib/store'
import { quotaWords } from './quota-words'

/** A refusal decided at the door: its status, and the sentence to show. */
export class RequestRefusedError extends Error {
  override readonly name = 'RequestRefusedError'

  constructor(
    readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 421 | 429 | 503,
    readonly code: string,
    message: string,
    /** what a program may want to know besides; members of the problem document */
    readonly details: RefusalDetails = {},
  ) {
    super(message)
  }
}

/** Which limit was met, and when asking again makes sense. */
export interface RefusalDetails {
  /** the name of the limit, as its setting calls it */
  limit?: string
  /** the most there may be, and how much there is */
  allowed?: number
  used?: number
  /** seconds until it makes sense to ask again; sent as `Retry-After` too */
  retry_after?: number
}

const titles: Record<number, string> = {
  400: 'Invalid request',
  401: 'Not signed in',
  403: 'Not allowed from here',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  413: 'Too large',
  415: 'Unsupported content type',
  421: 'Misdirected request',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Unavailable',
}

function problem(status: number, code: string, detail: string): Problem {
  return { type: 'about:blank', title: titles[status] ?? 'Error', status, detail, code }
}

/**
 * Any error as the problem document of CONTRACT.md. The only place that knows status codes. An error nobody expected
 * becomes one calm sentence; the caller logs it.
 */
export function problemOf(error: unknown): Problem {
  if (error instanceof RequestRefusedError)
    return { ...problem(error.status, error.code, error.message), ...error.details }
  if (error instanceof QuotaExceededError) {
    const { detail, details } = quotaWords(error)
    return { ...problem(429, 'quota_exceeded', detail), ...details }
  }
  if (error instanceof InvalidRequestError) return problem(400, error.code, error.message)
  if (error instanceof InvalidDataError) return problem(400, 'invalid', error.message)
  if (error instanceof ZodError) return problem(400, 'invalid', describeIssue(error))
  if (error instanceof UnauthenticatedError) {
    return problem(
      401,
      'unauthenticated',
      error.lacks === 'key'
        ? 'This API key is wrong, or it has expired or was revoked.'
        : 'Sign in first, as a guest or with your account.',
    )
  }
  // a sentence without the id: what is missing and what is someone else's must read the same, byte for byte
  if (error instanceof NotFoundError) return problem(404, 'not_found', `${capitalised(error.what)} not found`)
  if (error instanceof ForeignMessageError) return problem(404, 'not_found', 'Message not found')
  if (error instanceof HeadConflictError) {
    return problem(
      409,
      'head_moved',
      'This branch has moved on since you last saw it. Look at the new messages, or send yours on a branch of its own.',
    )
  }
  if (error instanceof ReplyInProgressError) {
    return problem(
      409,
      'reply_in_progress',
      'A reply is being written on this branch. Wait for it, stop it, or ask on another branch.',
    )
  }
  if (error instanceof ExpectedVersionError) {
    const { actual, expected } = error
    return problem(
      409,
      'expected_version',
      `The thread is at event ${actual}, not ${expected}. Look at what came in between, and decide again.`,
    )
  }
  if (error instanceof IdempotencyMismatchError) {
    return problem(
      409,
      'idempotency_mismatch',
      'This Idempotency-Key was used before, for another request. Take a new one for every new command.',
    )
  }
  if (error instanceof MessageReusedError) return problem(409, 'idempotency_mismatch', error.message)
  if (error instanceof MessageExistsError) return problem(409, 'message_exists', error.message)
  if (error instanceof NameTakenError) return problem(409, 'name_taken', error.message)
  if (error instanceof BranchActiveError) return problem(409, 'branch_active', error.message)
  if (error instanceof RunOverError) return problem(409, 'run_over', 'This reply is over already.')
  if (error instanceof GateFullError) return { ...gateProblem(error), retry_after: 5 }
  // the client is gone: this is for the log of a proxy
  if (error instanceof QueryAbandonedError)
    return problem(408, 'request_ended', 'The request ended before it was answered.')
  if (isTimeout(error)) {
    const detail =
      'This took the database too long, and nothing was changed. Try again in a moment; search with more or longer words, or in one chat.'
    return { ...problem(503, 'timed_out', detail), retry_after: 5 }
  }
  return problem(500, 'internal', 'Something went wrong on our side. Nothing was changed; please try again.')
}

/** Characters of a sentence that quotes the request. */
const MAX_DETAIL = 300

function gateProblem({ of }: GateFullError): Problem {
  return of === 'person'
    ? problem(429, 'too_many_searches', 'Many of your searches are waiting already. Wait for them and go on.')
    : problem(503, 'busy', 'Many searches are waiting already. Try again in a moment.')
}

const capitalised = (word: string): string => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`

function describeIssue(error: ZodError): string {
  const issue = error.issues[0]
  if (!issue) return 'The request is not in the expected form.'
  const where = issue.path.join('.')
  const said = where ? `${where}: ${issue.message}` : issue.message
  // it names what was sent, which may be long
  return said.length > MAX_DETAIL ? `${said.slice(0, MAX_DETAIL)}…` : said
}
