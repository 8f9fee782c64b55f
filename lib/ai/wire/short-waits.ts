import { APICallError, type LanguageModelV4 } from '@ai-sdk/provider'
import { wrapLanguageModel } from 'ai'
import { retryAfter } from '../explain-error'

/** The longest silent wait for a provider. */
const LONGEST_MS = 2_000

/**
 * A model that retries only after a short pause. By itself, the AI SDK waits in silence for a `Retry-After` of up to a minute,
 * while the reader could be told and choose another model.
 */
export const withShortWaits = (model: LanguageModelV4): LanguageModelV4 =>
  wrapLanguageModel({
    model,
    middleware: {
      wrapStream: async ({ doStream }) => {
        try {
          return await doStream()
        } catch (error) {
          // it is not worth another try at once
          throw asksForLong(error) ? Object.assign(error, { isRetryable: false }) : error
        }
      },
    },
  })

const asksForLong = (error: unknown): error is APICallError =>
  APICallError.isInstance(error) &&
  error.isRetryable &&
  (retryAfter(error.responseHeaders ?? {}) ?? 0) > LONGEST_MS
