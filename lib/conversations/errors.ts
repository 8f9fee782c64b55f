/** What was asked makes no sense as it stands; `message` is the sentence for the person. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError'

  constructor(
    message: string,
    readonly code: string = 'invalid',
  ) {
    super(message)
  }
}

/** A message id was used before, with another body. */
export class MessageReusedError extends Error {
  override readonly name = 'MessageReusedError'
}
