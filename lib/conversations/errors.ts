import { NamedError } from '@/lib/context'

/** What was asked makes no sense as it stands; `message` is the sentence for the person. */
export class InvalidRequestError extends NamedError {
  static override readonly errorName = 'InvalidRequestError'
  override readonly name = 'InvalidRequestError'

  constructor(
    message: string,
    readonly code: string = 'invalid',
  ) {
    super(message)
  }
}

/** A message id was used before, with another body. */
export class MessageReusedError extends NamedError {
  static override readonly errorName = 'MessageReusedError'
  override readonly name = 'MessageReusedError'
}
