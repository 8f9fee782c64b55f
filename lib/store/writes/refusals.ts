import {
  BranchActiveError,
  ContextMovedError,
  ExpectedVersionError,
  HeadConflictError,
  IdempotencyMismatchError,
  InvalidDataError,
  MessageExistsError,
  NameTakenError,
  NotFoundError,
  QuotaExceededError,
  type QuotaName,
  ReplayMovedError,
  ReplyInProgressError,
  RunOverError,
} from '@/lib/context'

interface PgError {
  code: string
  message: string
  detail?: string
  constraint?: string
}

/** The database's error, without the wrappers of driver and Drizzle; undefined for any other error. */
function pgErrorOf(error: unknown): PgError | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    const candidate = e as unknown as Record<string, unknown>
    if (typeof candidate.code !== 'string') continue
    const constraint = candidate.constraint_name ?? candidate.constraint
    return {
      code: candidate.code,
      message: e.message,
      ...(typeof candidate.detail === 'string' ? { detail: candidate.detail } : {}),
      // a partitioned table names the key of the part, which has a number
      ...(typeof constraint === 'string' ? { constraint: constraint.replace(/_\d+$/, '') } : {}),
    }
  }
  return undefined
}

const subjects = ['chat', 'message', 'branch', 'checkpoint', 'run', 'thread', 'event', 'file'] as const

/** Tells whether a chat has gone on since a change was decided. */
export const isMovedOn = (error: unknown): boolean => {
  const pg = pgErrorOf(error)
  return pg?.code === 'RM409' && pg.detail === 'moved_on'
}

/**
 * True for an error of the database itself, by its codes: an error of the connection leaves open whether rows
 * were written.
 */
export const isRefusal = (error: unknown): boolean =>
  /^(?:\d[\dA-Z]{4}|RM\d{3})$/.test(pgErrorOf(error)?.code ?? '')

/** The store's error for a refusal of `append_changes`; any other error comes back as it is. */
export function refusalOf(error: unknown): unknown {
  const pg = pgErrorOf(error)
  if (!pg) return error
  if (pg.code === 'RM404') {
    const what = subjects.find((s) => s === pg.detail) ?? 'chat'
    return new NotFoundError(what, /"(.*)" not found$/s.exec(pg.message)?.[1] ?? '')
  }
  if (pg.code === 'RM400') return new InvalidDataError(pg.message)
  if (pg.code === 'RM429') return quotaRefusal(pg)
  if (pg.code === 'RM409') {
    switch (pg.detail) {
      case 'head_moved':
        return new HeadConflictError(pg.message)
      case 'name_taken':
        return new NameTakenError(pg.message)
      case 'context_moved':
        return new ContextMovedError(pg.message)
      case 'reply_in_progress':
        return new ReplyInProgressError(pg.message)
      case 'bisect_moved':
      case 'replay_moved':
        return new ReplayMovedError(pg.message)
      case 'branch_active':
        return new BranchActiveError(pg.message)
      case 'idempotency_mismatch':
        return new IdempotencyMismatchError(pg.message)
      case 'expected_version': {
        const [actual = 0, expected = 0] = (pg.message.match(/-?\d+/g) ?? []).map(Number)
        return new ExpectedVersionError(actual, expected)
      }
      default:
        return new RunOverError(pg.message)
    }
  }
  if (pg.code === '23505') {
    if (pg.constraint === 'runs_one_live_per_branch') {
      return new ReplyInProgressError('A reply is being written on this branch')
    }
    if (pg.constraint === 'replays_pk') return new ReplayMovedError('This replay has begun already')
    if (pg.constraint === 'messages_id') {
      return new MessageExistsError(/=\(.*?, (.*)\) already exists/s.exec(pg.detail ?? '')?.[1])
    }
    if (pg.constraint === 'remotes_name') return new NameTakenError('A remote of this name exists already')
    if (pg.constraint === 'tool_servers_name')
      return new NameTakenError('A tool server of this name exists already')
    // the owner has a chat of this id: another request has made it meanwhile
    if (pg.constraint === 'chats_public_id') {
      return new HeadConflictError('The chat was begun by another request')
    }
    if (pg.constraint === 'branches_pk') return new NameTakenError('A branch of this id exists already')
    if (pg.constraint === 'branches_name') return new NameTakenError('A branch of this name exists already')
  }
  // the owner, a guest that owned nothing, was removed in this moment
  if (pg.code === '23503' && pg.constraint === 'chats_user_id_user_id_fk')
    return new NotFoundError('chat', '')
  // a file without a chat was deleted in this moment
  if (pg.code === '23503' && pg.constraint === 'chat_files_of_file') return new NotFoundError('file', '')
  if (pg.code === '23514')
    return new InvalidDataError(`A value is outside its limits (${pg.constraint ?? 'check'})`)
  return error
}

function quotaRefusal({ detail }: PgError): QuotaExceededError {
  const { limit, allowed, used, retryAfter, person } = JSON.parse(detail ?? '{}') as {
    limit: QuotaName
    allowed: number
    used: number
    retryAfter: number | null
    person: string
  }
  return new QuotaExceededError(limit, allowed, used, retryAfter, person)
}
