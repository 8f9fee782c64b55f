import { named } from '@/lib/context'

/** What was asked makes no sense as it stands; `message` is the sentence for the person. */
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
