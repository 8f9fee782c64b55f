import { JSONParseError, TypeValidationError } from '@ai-sdk/provider'

/**
 * Tells whether the AI SDK could not read a piece of a stream. `wireFetch` has put right every piece that the reply
 * needs before the AI SDK sees it, so this piece is none of them.
 */
export const isUnreadablePiece = (error: unknown): boolean =>
  TypeValidationError.isInstance(error) || JSONParseError.isInstance(error)
