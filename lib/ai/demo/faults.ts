import { APICallError } from '@ai-sdk/provider'

/** Faults that a phrase asks of the demo model. Counts are words. */
export type Fault = {
  /** The stream breaks with an error, like a lost connection. */
  readonly failAfter?: number
  /** The stream just ends, without a finish reason. */
  readonly endAfter?: number
  /** Nothing more comes until the call is aborted. */
  readonly hangAfter?: number
  /** The call is refused before the first word. */
  readonly refusal?: APICallError
  /** It finishes properly and says nothing. */
  readonly empty?: boolean
  /** NUL, a lone surrogate, and a pair cut in two, in the text. */
  readonly badText?: boolean
  readonly delayMs?: number
}

/**
 * Reads fault phrases out of a message; the phrases themselves are then no part of the question.
 *
 * `[demo:fail-after 8]` · `[demo:end-after 8]` · `[demo:hang-after 8]` · `[demo:empty]` ·
 * `[demo:bad-text]` · `[demo:delay 50]` · `[demo:error rate-limit]`, also `context-length`, `bad-key`,
 * `overloaded`, `network` and `refused`.
 */
export function readFault(question: string): Fault {
  let fault: Fault = {}
  for (const [, name, argument = ''] of question.matchAll(phrase)) {
    fault = { ...fault, ...faults.get(name?.toLowerCase() ?? '')?.(argument.toLowerCase()) }
  }
  return fault
}

/** The message as it reads without its fault phrases. */
export function withoutFaults(text: string): string {
  return text.replace(phrase, '').trim()
}

const phrase = /\[demo:([a-z-]+)(?:\s+([\w-]+))?\]/gi

const countIn = (argument: string): number => Number.parseInt(argument, 10) || 0

const faults = new Map<string, (argument: string) => Fault>([
  ['fail-after', (argument) => ({ failAfter: countIn(argument) })],
  ['end-after', (argument) => ({ endAfter: countIn(argument) })],
  ['hang-after', (argument) => ({ hangAfter: countIn(argument) })],
  ['delay', (argument) => ({ delayMs: Math.min(countIn(argument), 10_000) })],
  ['empty', () => ({ empty: true })],
  ['bad-text', () => ({ badText: true })],
  ['error', (argument) => ({ refusal: refusalNamed(argument) })],
])

const refusals: Readonly<Record<string, [status: number | undefined, code: string, message: string]>> = {
  'rate-limit': [429, 'rate_limit_exceeded', 'Rate limit reached for the demo model'],
  'context-length': [400, 'context_length_exceeded', 'The maximum context length is 100 words'],
  'bad-key': [401, 'invalid_api_key', 'Incorrect API key provided: sk-demo-0000'],
  overloaded: [503, 'overloaded', 'The demo model is overloaded'],
  refused: [400, 'content_filter', 'The demo model does not talk about that'],
  network: [undefined, 'ECONNREFUSED', 'Cannot connect to API: connect ECONNREFUSED 127.0.0.1:1'],
}

function refusalNamed(name: string): APICallError {
  const unknown = [500, 'server_error', 'The demo model was asked to fail'] as const
  const [statusCode, code, message] = refusals[name] ?? unknown
  const outcome =
    statusCode === undefined
      ? { isRetryable: true, cause: Object.assign(new Error(message), { code }) }
      : { statusCode, responseBody: JSON.stringify({ error: { message, code } }) }
  return new APICallError({
    message,
    url: 'demo:demo',
    requestBodyValues: {},
    ...outcome,
    // Retries of a made-up failure should not cost a test seconds.
    responseHeaders: { 'retry-after-ms': '10' },
  })
}
