import { named } from '@/lib/events'

// the refusals of `decide` are defined beside it
export {
  AlreadyThereError,
  BranchActiveError,
  BuiltUponError,
  ContextMovedError,
  ExpectedVersionError,
  HeadConflictError,
  MessageExistsError,
  NamedError,
  NameTakenError,
  NotFoundError,
  NothingToMergeError,
  NothingToUndoError,
  named,
  ReplyInProgressError,
  RunOverError,
} from '@/lib/events'

/** A message id of the same owner's other chat was given. */
export class ForeignMessageError extends named('ForeignMessageError') {
  constructor(readonly messageId: string) {
    super(`Message "${messageId}" belongs to a different chat`)
  }
}

/** A command's key was used before, for another command; nothing was written. */
export class IdempotencyMismatchError extends named('IdempotencyMismatchError') {}

/** A replay is in another state than its writer knew; nothing was written. */
export class ReplayMovedError extends named('ReplayMovedError') {}

/** A value that the store would not keep as it is: NUL, a lone surrogate, nesting beyond 64 levels. */
export class InvalidDataError extends named('InvalidDataError') {}

/** Names of limits, as their settings call them (`RAMIFY_QUOTA_…`). */
export type QuotaName =
  | 'branches'
  | PerOwner
  | `address_${'guests' | PerOwner}`
  | `site_${'calls' | 'tokens'}`

type PerOwner = 'chats' | 'bytes' | 'messages' | 'calls' | 'tokens'

/** A write would take more than a limit allows; nothing was written. */
export class QuotaExceededError extends named('QuotaExceededError') {
  /** @param retryAfter seconds until a daily limit frees; null for a limit that frees by deleting */
  constructor(
    readonly limit: QuotaName,
    readonly allowed: number,
    readonly used: number,
    readonly retryAfter: number | null,
    /** the refused person, when known */
    readonly person: string | null = null,
  ) {
    super(`The limit "${limit}" is reached: ${used} of ${allowed}`)
  }
}
