import { NamedError } from '@/lib/events'

// the refusals of `decide` are defined beside it
export {
  BranchActiveError,
  ExpectedVersionError,
  HeadConflictError,
  MessageExistsError,
  NamedError,
  NameTakenError,
  NotFoundError,
  ReplyInProgressError,
  RunOverError,
} from '@/lib/events'

/** A message id of the same owner's other chat was given. */
export class ForeignMessageError extends NamedError {
  static override readonly errorName = 'ForeignMessageError'
  override readonly name = 'ForeignMessageError'

  constructor(readonly messageId: string) {
    super(`Message "${messageId}" belongs to a different chat`)
  }
}

/** A command's key was used before, for another command; nothing was written. */
export class IdempotencyMismatchError extends NamedError {
  static override readonly errorName = 'IdempotencyMismatchError'
  override readonly name = 'IdempotencyMismatchError'
}

/** A value that the store would not keep as it is: NUL, a lone surrogate, nesting beyond 64 levels. */
export class InvalidDataError extends NamedError {
  static override readonly errorName = 'InvalidDataError'
  override readonly name = 'InvalidDataError'
}

/** Names of limits, as their settings call them (`RAMIFY_QUOTA_…`). */
export type QuotaName =
  | 'chats'
  | 'branches'
  | 'bytes'
  | 'messages'
  | 'calls'
  | 'tokens'
  | 'address_guests'
  | 'address_chats'
  | 'address_bytes'
  | 'address_messages'
  | 'address_calls'
  | 'address_tokens'
  | 'site_calls'
  | 'site_tokens'

/** A write would take more than a limit allows; nothing was written. */
export class QuotaExceededError extends NamedError {
  static override readonly errorName = 'QuotaExceededError'
  override readonly name = 'QuotaExceededError'

  /** @param retryAfter seconds until a limit of a day frees; null for one that frees when something is deleted */
  constructor(
    readonly limit: QuotaName,
    readonly allowed: number,
    readonly used: number,
    readonly retryAfter: number | null,
    /** who was refused, when that is known */
    readonly person: string | null = null,
  ) {
    super(`The limit "${limit}" is reached: ${used} of ${allowed}`)
  }
}
