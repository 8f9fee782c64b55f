/** Something asked for is not there (or not the caller's, which must look the same). */
export class NotFoundError extends Error {
  override readonly name: string = 'NotFoundError'

  constructor(
    readonly what: 'chat' | 'message' | 'branch' | 'checkpoint' | 'run',
    readonly id: string,
  ) {
    super(`${what[0]?.toUpperCase()}${what.slice(1)} "${id}" not found`)
  }
}

/** A message id of the same owner's other chat was given. */
export class ForeignMessageError extends Error {
  override readonly name = 'ForeignMessageError'

  constructor(readonly messageId: string) {
    super(`Message "${messageId}" belongs to a different chat`)
  }
}

/** The branch is no longer where the writer thought; nothing was written. Read it again and decide anew. */
export class HeadConflictError extends Error {
  override readonly name = 'HeadConflictError'
}

/** The branch has a reply under way; nothing was written. */
export class ReplyInProgressError extends Error {
  override readonly name = 'ReplyInProgressError'
}

/** A branch of that name exists already; nothing was written. */
export class NameTakenError extends Error {
  override readonly name = 'NameTakenError'
}

/** The branch is the one the chat opens on and cannot be archived. */
export class BranchActiveError extends Error {
  override readonly name = 'BranchActiveError'
}

/** A message with this id is stored in this chat already; nothing was written. */
export class MessageExistsError extends Error {
  override readonly name = 'MessageExistsError'

  constructor(readonly messageId?: string) {
    super(messageId ? `Message "${messageId}" exists already` : 'A message with this id exists already')
  }
}

/** The run has ended, or another worker has taken it over. */
export class RunOverError extends Error {
  override readonly name = 'RunOverError'
}

/** A value that the store would not keep as it is: NUL, a lone surrogate, nesting beyond 64 levels. */
export class InvalidDataError extends Error {
  override readonly name = 'InvalidDataError'
}
