const mark = Symbol.for('ramify.named-error')

/**
 * An error that is known by its name. A server bundles this module more than once, and `instanceof` in one bundle must
 * recognise the errors of another.
 */
export abstract class NamedError extends Error {
  static readonly errorName: string = 'NamedError'
  /** every error of this kind has it, whatever its name and bundle */
  readonly [mark] = true

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (typeof value !== 'object' || value === null || !(mark in value)) return false
    // biome-ignore lint/complexity/noThisInStatic: the class on the right of `instanceof`, not this one
    return this === NamedError || ('name' in value && value.name === this.errorName)
  }
}

/** Written out, since a declaration cannot name `mark`. */
export interface NamedErrorClass<Name extends string> {
  new (message?: string, options?: ErrorOptions): NamedError & { readonly name: Name }
  readonly errorName: string
}

/** The base of a class of errors that is known by this name. */
export const named = <Name extends string>(errorName: Name): NamedErrorClass<Name> =>
  class extends NamedError {
    static override readonly errorName: string = errorName
    override readonly name = errorName
  }

/** A thing does not exist, or is not the caller's: both must look the same. */
export class NotFoundError extends named('NotFoundError') {
  constructor(
    readonly what:
      | 'chat'
      | 'message'
      | 'branch'
      | 'checkpoint'
      | 'run'
      | 'replay'
      | 'bisect'
      | 'thread'
      | 'event'
      | 'key'
      | 'app'
      | 'file'
      | 'preset'
      | 'share'
      | 'tool server'
      | 'member'
      | 'invitation'
      | 'remote'
      | 'session'
      | 'passkey'
      | 'import'
      | 'proposal',
    readonly id: string,
  ) {
    super(`${what[0]?.toUpperCase()}${what.slice(1)} "${id}" not found`)
  }
}

/** A branch of that name exists already; nothing was written. */
export class NameTakenError extends named('NameTakenError') {}

/** The branch is the one the chat opens on and cannot be archived. */
export class BranchActiveError extends named('BranchActiveError') {}

/** A message with this id is stored in this chat already; nothing was written. */
export class MessageExistsError extends named('MessageExistsError') {
  constructor(readonly messageId?: string) {
    super(messageId ? `Message "${messageId}" exists already` : 'A message with this id exists already')
  }
}

/** The thread is not at the event its writer expects (DESIGN.md §9); nothing was written. */
export class ExpectedVersionError extends named('ExpectedVersionError') {
  constructor(
    readonly actual: number,
    readonly expected: number,
  ) {
    super(`The thread is at event ${actual}, not ${expected}`)
  }
}

/** The branch is no longer where the writer thought; nothing was written. Read it again and decide anew. */
export class HeadConflictError extends named('HeadConflictError') {}

/** The branch has another context than the writer thought; nothing was written. Read it again and decide anew. */
export class ContextMovedError extends named('ContextMovedError') {}

/** The branch has a reply under way; nothing was written. */
export class ReplyInProgressError extends named('ReplyInProgressError') {
  /** @param branch its name, where a command names more than one */
  constructor(
    message: string,
    readonly branch?: string,
  ) {
    super(message)
  }
}

/** The source of a merge has nothing that the target lacks; nothing was written. */
export class NothingToMergeError extends named('NothingToMergeError') {}

/** A message that would be picked is on the branch already; nothing was written. */
export class AlreadyThereError extends named('AlreadyThereError') {
  constructor(readonly messageId: string) {
    super(`Message "${messageId}" is on this branch already`)
  }
}

/** There is no move to undo, or to make again; nothing was written. */
export class NothingToUndoError extends named('NothingToUndoError') {
  constructor(readonly which: 'undo' | 'redo') {
    super(which === 'undo' ? 'There is no move to undo' : 'There is no move to make again')
  }
}

/** Something was built upon a move since it was made, so it cannot be taken back; nothing was written. */
export class BuiltUponError extends named('BuiltUponError') {}

/** The run has ended, or another worker has taken it over. */
export class RunOverError extends named('RunOverError') {}
