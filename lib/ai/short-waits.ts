import { APICallError, type LanguageModelV4 } from '@ai-sdk/provider'
import { wrapLanguageModel } from 'ai'
import { retryAfter } from './explain-error'

/** The longest silent wait for a provider. */
const LONGEST_MS = 2_000

/**
 * A model whose requests are sent again only where the provider asks for a short pause. Left to itself, the AI SDK obeys
 * a `Retry-After` of up to a minute in silence, while the reader could be told, and choose another model.
 */
export const withShortWaits = (model: LanguageModelV4): LanguageModelV4 =>
  wrapLanguageModel({
    model,
    middleware: {
      wrapStream: async ({ doStream }) => {
        try {
          return await doStream()
        } catch (error) {
          throw asksForLong(error) ? finalOf(error) : error
        }
      },
    },
  })

const asksForLong = (error: unknown): error is APICallError =>
  APICallError.isInstance(error) &&
  error.isRetryable &&
  (retryAfter(error.responseHeaders ?? {}) ?? 0) > LONGEST_MS

/** The same error, which is not worth another try at once. */
function finalOf(error: APICallError): APICallError {
  const { message, url, requestBodyValues, statusCode, responseHeaders, responseBody, cause, data } = error
  return new APICallError({
    ...{ message, url, requestBodyValues, cause, data, isRetryable: false },
    ...(statusCode !== undefined && { statusCode }),
    ...(responseHeaders && { responseHeaders }),
    ...(responseBody !== undefined && { responseBody }),
  })
}
