import { named } from '@/lib/context'

/** Refuses a senseless request; `message` is the sentence for the person. */
export class InvalidRequestError extends named('InvalidRequestError') {
  constructor(
    message: string,
    readonly code: string = 'invalid',
  ) {
    super(message)
  }
}

/** A file whose content is of a type that is not taken; `message` is the sentence for the person. */
export class UnsupportedTypeError extends named('UnsupportedTypeError') {}

/** A message id was used before, with another body. */
export class MessageReusedError extends named('MessageReusedError') {}

/** A replay finds no message of the person at its beginning. */
export class NothingToReplayError extends named('NothingToReplayError') {}

/** A replay is done or stopped already. */
export class ReplayOverError extends named('ReplayOverError') {}

/** No turn stands above the question of a reply. */
export class NothingToBisectError extends named('NothingToBisectError') {}

/** As many imports wait as may: of this person, or on the whole site. */
export class TooManyImportsError extends named('TooManyImportsError') {
  constructor(readonly of: 'person' | 'site') {
    super(
      of === 'person'
        ? 'Several of your imports are waiting already. Send this file when one of them is done.'
        : 'Many imports are waiting on this server. Try again in a few minutes.',
    )
  }
}
