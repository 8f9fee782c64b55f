import 'server-only'
import { ZodError } from 'zod'
import { KeyTestError, ToolServerError } from '@/lib/ai'
import { UnauthenticatedError } from '@/lib/auth'
import {
  AlreadyThereError,
  BranchActiveError,
  BuiltUponError,
  ContextMovedError,
  ExpectedVersionError,
  ForeignMessageError,
  HeadConflictError,
  IdempotencyMismatchError,
  InvalidDataError,
  MessageExistsError,
  NameTakenError,
  NotFoundError,
  NothingToMergeError,
  NothingToUndoError,
  QuotaExceededError,
  ReplayMovedError,
  ReplyInProgressError,
  RunOverError,
} from '@/lib/context'
import {
  ClonedAlreadyError,
  DivergedObjectsError,
  InvalidRequestError,
  MessageReusedError,
  NotFastForwardError,
  NothingToBisectError,
  NothingToReplayError,
  OtherOriginError,
  PackRefusedError,
  ProposalRefusedError,
  ReplayOverError,
  TooManyImportsError,
  UnsupportedTypeError,
} from '@/lib/conversations'
import { branchInWords } from '@/lib/events/branch-name'
import type { Problem } from '@/lib/protocol'
import { logError, RemoteError } from '@/lib/runtime'
import { asProblem } from '@/lib/runtime/front/problem-text'
import {
  GateFullError,
  isTimeout,
  type LineWork,
  QueryAbandonedError,
  TooManyRemotesError,
  TooManyServersError,
} from '@/lib/store'
import { quotaSentence } from './quota-words'

/** The reached limit, the time of the next attempt, or the current value. */
type RefusalDetails = Pick<Problem, 'limit' | 'allowed' | 'used' | 'retry_after' | 'current'>

/** A refusal decided before a use case runs: its status, and the sentence to show. */
export class RequestRefusedError extends Error {
  override readonly name = 'RequestRefusedError'

  constructor(
    readonly status: 400 | 401 | 403 | 404 | 405 | 406 | 408 | 409 | 413 | 415 | 421 | 422 | 429 | 503,
    readonly code: string,
    message: string,
    readonly details: RefusalDetails = {},
  ) {
    super(message)
  }
}

/** The sentences of refusals that the description of the API quotes. */
export const sentences = {
  unauthenticated: 'Sign in first, as a guest or with your account.',
  head_moved:
    'This branch has moved on since you last saw it. Look at the new messages, or send yours on a branch of its own.',
  context_moved:
    'The context of this branch was changed meanwhile, in another tab perhaps. Look at both, and save again.',
  nothing_to_undo: 'There is no move in this chat to undo.',
  nothing_to_redo: 'There is no move in this chat to make again.',
  reply_in_progress:
    'A reply is being written on this branch. Wait for it, stop it, or ask on another branch.',
  /** for a command that names more than one branch */
  reply_on: (branch: string) =>
    `A reply is being written on ${branchInWords(branch)}. Wait for it, or stop it, and try again.`,
  nothing_to_merge: 'There is nothing to merge: the other branch has all of it already.',
  already_there: 'A message that you picked is on this branch already.',
  idempotency_mismatch:
    'This Idempotency-Key was used before, for another request. Use a new one for every new command.',
  expected_version: (actual: number, expected: number) =>
    `The thread is at event ${actual}, not ${expected}. Read the events in between, and decide again.`,
  nothing_to_replay: 'None of your messages stands there: there is nothing to ask again.',
  nothing_to_bisect: 'Nothing stands above this question: there is nothing to look for.',
  replay_over: 'This is over. Begin another one.',
  replay_moved: 'This has moved on meanwhile. Look at where it stands, and decide again.',
  timed_out:
    'The database took too long, and nothing was changed. Try again in a moment; search with more or longer words, or in one chat.',
}

const problem = (status: number, code: string, detail: string, details: RefusalDetails = {}): Problem => ({
  ...asProblem({ status, code, detail }),
  ...details,
})

/**
 * Any error as the problem document of CONTRACT.md. Only this function knows status codes. An unexpected error becomes one
 * calm sentence; the caller logs it.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof RequestRefusedError)
    return problem(error.status, error.code, error.message, error.details)
  if (error instanceof QuotaExceededError) {
    const { limit, allowed, used, retryAfter } = error
    const wait = retryAfter === null ? {} : { retry_after: retryAfter }
    return problem(429, 'quota_exceeded', quotaSentence(error), { limit, allowed, used, ...wait })
  }
  if (error instanceof UnsupportedTypeError) return problem(415, 'unsupported_type', error.message)
  if (error instanceof InvalidRequestError) return problem(400, error.code, error.message)
  if (error instanceof InvalidDataError) return problem(400, 'invalid', error.message)
  if (error instanceof ZodError) return problem(400, 'invalid', describeIssue(error))
  if (error instanceof UnauthenticatedError) {
    const words = {
      session: sentences.unauthenticated,
      // an account was made a moment ago
      owner: sentences.unauthenticated,
      key: 'This API key is wrong, or it has expired or was revoked.',
      app: 'This token is wrong or has expired, or the app was disconnected. Connect it again.',
    }
    return problem(401, 'unauthenticated', words[error.lacks])
  }
  // without the id: the answer must be the same, byte for byte, for a missing thing and for another person's
  if (error instanceof NotFoundError) return problem(404, 'not_found', `${capitalised(error.what)} not found`)
  if (error instanceof ForeignMessageError) return problem(404, 'not_found', 'Message not found')
  if (error instanceof HeadConflictError) return problem(409, 'head_moved', sentences.head_moved)
  if (error instanceof ContextMovedError) return problem(409, 'context_moved', sentences.context_moved)
  if (error instanceof ReplyInProgressError)
    return problem(
      409,
      'reply_in_progress',
      error.branch === undefined ? sentences.reply_in_progress : sentences.reply_on(error.branch),
    )
  if (error instanceof NothingToMergeError)
    return problem(409, 'nothing_to_merge', sentences.nothing_to_merge)
  if (error instanceof AlreadyThereError) return problem(409, 'already_there', sentences.already_there)
  if (error instanceof ExpectedVersionError)
    return problem(409, 'expected_version', sentences.expected_version(error.actual, error.expected))
  if (error instanceof IdempotencyMismatchError)
    return problem(409, 'idempotency_mismatch', sentences.idempotency_mismatch)
  if (error instanceof MessageReusedError) return problem(409, 'idempotency_mismatch', error.message)
  if (error instanceof MessageExistsError) return problem(409, 'message_exists', error.message)
  if (error instanceof NameTakenError) return problem(409, 'name_taken', error.message)
  if (error instanceof TooManyServersError) return problem(422, 'too_many_servers', error.message)
  if (error instanceof TooManyRemotesError) return problem(422, 'too_many_remotes', error.message)
  if (error instanceof RemoteError)
    return problem(conflicts.has(error.code) ? 409 : 422, error.code, error.message)
  if (error instanceof KeyTestError || error instanceof ToolServerError)
    return problem(422, error.code, error.message)
  if (error instanceof NothingToReplayError)
    return problem(409, 'nothing_to_replay', sentences.nothing_to_replay)
  if (error instanceof NothingToBisectError)
    return problem(409, 'nothing_to_bisect', sentences.nothing_to_bisect)
  if (error instanceof ReplayOverError) return problem(409, 'replay_over', sentences.replay_over)
  if (error instanceof ReplayMovedError) return problem(409, 'replay_moved', sentences.replay_moved)
  if (error instanceof BranchActiveError) return problem(409, 'branch_active', error.message)
  if (error instanceof BuiltUponError) return problem(409, 'built_upon', error.message)
  if (error instanceof NothingToUndoError)
    return problem(409, `nothing_to_${error.which}`, sentences[`nothing_to_${error.which}`])
  if (error instanceof RunOverError) return problem(409, 'run_over', 'This reply has ended already.')
  if (error instanceof PackRefusedError) return problem(400, 'invalid_pack', error.message)
  if (error instanceof DivergedObjectsError) return problem(409, 'diverged_objects', error.message)
  if (error instanceof OtherOriginError) return problem(409, 'other_origin', error.message)
  if (error instanceof NotFastForwardError) return problem(409, 'not_fast_forward', error.message)
  if (error instanceof ClonedAlreadyError) return problem(409, 'cloned_already', error.message)
  if (error instanceof ProposalRefusedError) return problem(409, error.code, error.message)
  if (error instanceof TooManyImportsError)
    return problem(429, 'too_many_imports', error.message, { retry_after: 60 })
  if (error instanceof GateFullError) return fullLine(error)
  if (error instanceof QueryAbandonedError) return toProblem(requestEnded())
  if (isTimeout(error)) return problem(503, 'timed_out', sentences.timed_out, { retry_after: 5 })
  return problem(500, 'internal', 'Something went wrong on our side. Nothing was changed; please try again.')
}

/** Another server refuses these because of the messages that it has: the same codes as where a push comes in. */
const conflicts: ReadonlySet<string> = new Set(['not_fast_forward', 'diverged_objects'])

/** The code of a person's full line, its name in a sentence, and the advice. */
const lines: Record<LineWork, { code: string; advice: string }> = {
  searches: { code: 'too_many_searches', advice: 'Try again when they are done.' },
  'long bodies': {
    code: 'too_many_long_bodies',
    advice: 'One body above 1 MB of a person is read at a time. Send the next when one is answered.',
  },
  'heavy requests': {
    code: 'too_many_heavy_requests',
    advice:
      'One request that reads a whole chat is worked on at a time for a person. Try again when they are done.',
  },
  'calls of agents': {
    code: 'too_many_calls',
    advice: 'They come faster than they are stored. Make fewer calls at the same time.',
  },
  exports: {
    code: 'too_many_exports',
    advice: 'Two exports of a person are written at a time. Wait until one is downloaded, or stop it.',
  },
}

function fullLine({ of, work }: GateFullError): Problem {
  const { code, advice } = lines[work]
  return of === 'person'
    ? problem(429, code, `Many of your ${work} are waiting. ${advice}`, { retry_after: 5 })
    : problem(503, 'busy', `Many ${work} are waiting. Try again in a moment.`, { retry_after: 5 })
}

/** The client has left: only the log of a proxy shows this. */
export const requestEnded = () =>
  new RequestRefusedError(408, 'request_ended', 'The request ended before it was answered.')

/** An error as a response. Logs an unexpected one. */
export function problemResponse(error: unknown): Response {
  const said = toProblem(error)
  if (said.status === 500) logError('route', error)
  const headers = new Headers({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
  if (said.status === 429 || said.status === 503) headers.set('retry-after', String(said.retry_after ?? 60))
  if (said.status === 401) headers.set('www-authenticate', 'Bearer')
  return Response.json(said, { status: said.status, headers })
}

/** The greatest length of a sentence that quotes the request. */
const MAX_DETAIL = 300

const capitalised = (word: string): string => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`

function describeIssue(error: ZodError): string {
  const issue = error.issues[0]
  if (!issue) return 'The request is not in the expected form.'
  const where = issue.path.join('.')
  const said = where ? `${where}: ${issue.message}` : issue.message
  return said.length > MAX_DETAIL ? `${said.slice(0, MAX_DETAIL)}…` : said
}
