import { JSONParseError, TypeValidationError } from '@ai-sdk/provider'

/**
 * Tells whether the AI SDK could not read a piece of a stream. What the reply needs has been put right before the AI SDK sees it
 * (`wireFetch`), so this piece is none of it.
 */
export const isUnreadablePiece = (error: unknown): boolean =>
  TypeValidationError.isInstance(error) || JSONParseError.isInstance(error)
