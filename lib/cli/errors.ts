/**
 * Ends a command that cannot be carried out; `message` gives the event, its reason and the remedy. Exit code
 * 1.
 */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
}

/** A command line that makes no sense as it stands. Exit code 2. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'
}

/** A server has no such thing, or it is another person's: both look the same. */
export class MissingError extends CommandError {
  override readonly name = 'MissingError'
}
