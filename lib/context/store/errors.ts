/**
 * An error that is known by its name. A server bundles this module more than once, and `instanceof` in one bundle must
 * know what another one threw.
 */
export abstract class NamedError extends Error {
  static readonly errorName: string = 'NamedError'

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: the class on the right of `instanceof`, not this one
    return typeof value === 'object' && value !== null && 'name' in value && value.name === this.errorName
  }
}

/** Something asked for is not there (or not the caller's, which must look the same). */
export class NotFoundError extends NamedError {
  static override readonly errorName = 'NotFoundError'
  override readonly name = 'NotFoundError'

  constructor(
    readonly what: 'chat' | 'message' | 'branch' | 'checkpoint' | 'run',
    readonly id: string,
  ) {
    super(`${what[0]?.toUpperCase()}${what.slice(1)} "${id}" not found`)
  }
}

/** A message id of the same owner's other chat was given. */
export class ForeignMessageError extends NamedError {
  static override readonly errorName = 'ForeignMessageError'
  override readonly name = 'ForeignMessageError'

  constructor(readonly messageId: string) {
    super(`Message "${messageId}" belongs to a different chat`)
  }
}

/** The branch is no longer where the writer thought; nothing was written. Read it again and decide anew. */
export class HeadConflictError extends NamedError {
  static override readonly errorName = 'HeadConflictError'
  override readonly name = 'HeadConflictError'
}

/** The branch has a reply under way; nothing was written. */
export class ReplyInProgressError extends NamedError {
  static override readonly errorName = 'ReplyInProgressError'
  override readonly name = 'ReplyInProgressError'
}

/** A branch of that name exists already; nothing was written. */
export class NameTakenError extends NamedError {
  static override readonly errorName = 'NameTakenError'
  override readonly name = 'NameTakenError'
}

/** The branch is the one the chat opens on and cannot be archived. */
export class BranchActiveError extends NamedError {
  static override readonly errorName = 'BranchActiveError'
  override readonly name = 'BranchActiveError'
}

/** A message with this id is stored in this chat already; nothing was written. */
export class MessageExistsError extends NamedError {
  static override readonly errorName = 'MessageExistsError'
  override readonly name = 'MessageExistsError'

  constructor(readonly messageId?: string) {
    super(messageId ? `Message "${messageId}" exists already` : 'A message with this id exists already')
  }
}

/** The run has ended, or another worker has taken it over. */
export class RunOverError extends NamedError {
  static override readonly errorName = 'RunOverError'
  override readonly name = 'RunOverError'
}

/** A value that the store would not keep as it is: NUL, a lone surrogate, nesting beyond 64 levels. */
export class InvalidDataError extends NamedError {
  static override readonly errorName = 'InvalidDataError'
  override readonly name = 'InvalidDataError'
}
