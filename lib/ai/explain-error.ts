import { APICallError, LoadAPIKeyError } from '@ai-sdk/provider'
import { RetryError, StreamProviderError } from 'ai'
import { reasonIn, saysNothing } from '@/lib/gateway/protocols/shared/reasons'
import { KeyUnreadableError, ProviderNotConfiguredError, UnknownModelError } from './model-errors'
import { ForeignRedirectError } from './own-host-fetch'
import { redact } from './redact'
import { SilenceError } from './wire/patient-fetch'
import { PROVIDER_SAID, ProviderSaidError, toldError } from './wire/provider-said'

type ErrorKind =
  | 'rate_limit'
  | 'context_length'
  | 'bad_key'
  | 'network'
  | 'overloaded'
  | 'refused'
  | 'unknown'

/** Why a reply failed, in words that are safe to show. */
export type ExplainedError = {
  readonly kind: ErrorKind
  /** The failure. One or two sentences. */
  readonly message: string
  /** The next step for the reader. One sentence. */
  readonly advice: string
  /** True when the same request may succeed later without a change. */
  readonly retryable: boolean
  /** Delay that the provider asked for. */
  readonly retryAfterMs?: number
}

/** An error of our own that already carries its explanation. */
export class ReplyProblem extends Error {
  override readonly name = 'ReplyProblem'

  constructor(readonly explained: ExplainedError) {
    super(explained.message)
  }
}

/**
 * Explains an error of a provider, `fetch` or the AI SDK to a person. Never throws, and never repeats keys,
 * addresses or stack traces; the original stays with the caller, for the log.
 */
export function explainError(error: unknown): ExplainedError {
  const cause = RetryError.isInstance(error) ? error.lastError : error
  const problem = causeOf(cause, ReplyProblem)
  if (problem) return problem.explained
  if (cause instanceof UnknownModelError || cause instanceof ProviderNotConfiguredError) {
    return explain('unknown', cause.message, 'Choose another model.')
  }
  if (cause instanceof KeyUnreadableError) {
    return explain('bad_key', cause.message, 'Save it again under Settings, Models.')
  }
  // by name: a bundle of the server may hold its class twice
  if (namesOf(cause).includes('PrivateAddressError')) {
    return explain(
      'refused',
      'This server reaches providers at public https addresses only.',
      'Check the provider’s base URL.',
    )
  }
  if (cause instanceof ForeignRedirectError) {
    return explain(
      'refused',
      'The provider’s address leads to another host.',
      'Check the provider’s base URL.',
    )
  }
  const silence = causeOf(cause, SilenceError)
  if (silence) return silentFor(silence.silenceMs)
  const facts = factsOf(cause)
  return fromWords(facts) ?? fromStatus(facts) ?? fromConnection(cause, facts) ?? fromReason(facts)
}

/** Explains an answer that refuses a request, whatever it is: JSON, a page, or words. */
export function explainAnswer(status: number, body: string, headers: Facts['headers']): ExplainedError {
  const facts = { ...wordsIn(body), status, headers }
  return fromWords(facts) ?? fromStatus(facts) ?? fromReason(facts)
}

const fromReason = ({ said }: Facts): ExplainedError =>
  explain(
    'unknown',
    said === ''
      ? 'Something went wrong while the model was answering.'
      : `The provider failed while the model was answering.${quoted(said)}`,
    'Try again, or choose another model.',
  )

type Facts = {
  readonly status: number | undefined
  /** Everything the provider said, lower case, for matching only. */
  readonly words: string
  /** The provider's own sentence, made safe to repeat. Empty when the error is not the provider's. */
  readonly said: string
  readonly headers: Readonly<Record<string, string>>
}

function factsOf(error: unknown): Facts {
  const told = saidIn(error)
  if (told) return { ...wordsIn(told.body), status: told.status, headers: told.headers }
  if (APICallError.isInstance(error)) {
    const { statusCode: status, responseBody = '', responseHeaders: headers = {} } = error
    const body = status === undefined ? '' : responseBody
    const { said, words } = wordsIn(body)
    return { status, said, words: `${error.message.toLowerCase()} ${words}`, headers }
  }
  if (StreamProviderError.isInstance(error)) {
    const words = `${error.type ?? ''} ${error.code ?? ''} ${error.message}`.toLowerCase()
    return { status: error.statusCode, words, said: redact(error.message), headers: {} }
  }
  if (LoadAPIKeyError.isInstance(error)) {
    return { status: 401, words: '', said: '', headers: {} }
  }
  const words = error instanceof Error ? error.message : typeof error === 'string' ? error : ''
  return { status: undefined, words: words.toLowerCase(), said: '', headers: {} }
}

/** A provider's word inside its answer, also where it has passed through the AI SDK. */
function saidIn(error: unknown): ProviderSaidError | undefined {
  if (StreamProviderError.isInstance(error) && error.type === PROVIDER_SAID) return toldError(error.message)
  // the AI SDK asks Anthropic's stream for its first event, and makes a refusal of an error
  const isTold = APICallError.isInstance(error) && error.message.startsWith('{"body":')
  return isTold ? toldError(error.message) : causeOf(error, ProviderSaidError)
}

/** The words of a body: for matching, and as a sentence. */
const wordsIn = (body: string): Pick<Facts, 'words' | 'said'> => ({
  words: body.slice(0, 4000).toLowerCase(),
  said: redact(reasonIn(body) ?? ''),
})

const noCredit =
  /insufficient[_ ](?:quota|balance|credits?|funds)|exceeded your current quota|credit balance|billing_hard_limit|payment required|out of credits|no credits? left/
const tooLong =
  /context[_ ]?(?:length|window|size|limit)|maximum (?:context|prompt|input|model) length|max_model_len|context the overflows|too many (?:input )?tokens|(?:prompt|input|request|conversation) (?:is )?too (?:long|large)|reduce the length|input[_ ](?:token count|length)|`?inputs`? tokens|exceed\w* (?:the )?(?:max\w* )?(?:number of |input |context |total )?tokens?|longer than the (?:max\w*|model)|token limit exceeded/
const badKey =
  /invalid[_ ](?:api[_ ]key|x-api-key|token|bearer)|incorrect api key|api key (?:not valid|is (?:invalid|missing)|not found|expired)|api_key_invalid|authentication_error|authentication (?:failed|required)|unauthorized|unauthenticated|permission_denied|no auth credentials/
const rateLimited =
  /rate[_ -]?limit|too many requests|resource_exhausted|quota exceeded|throttl|concurrency limit|requests? per (?:minute|day|second)/
const noModel =
  /model[_ ]not[_ ](?:found|exist)|(?:unknown|unsupported|invalid|no such) model\b|model\b[^.]{0,80}\b(?:not found|does not exist|is not (?:available|supported|a valid|found)|doesn.t exist|not (?:loaded|exist))|no models? (?:loaded|found)|not a valid model|no endpoints found/
const filtered =
  /content[_ -]?(?:filter|policy|management)|safety (?:system|settings|reasons)|prohibited_content|flagged|moderation_blocked|guardrail/
const overloaded =
  /overloaded|at capacity|server_error|internal_error|unavailable|insufficient_system_resource|no (?:healthy|available) \w+|(?:currently|still) loading|loading model|server busy|server is busy/

/** The provider's words come first: many servers send a plain 400, or an error event after a 200. */
function fromWords({ status, words, said, headers }: Facts): ExplainedError | undefined {
  const isRefusal = status === undefined || status < 500
  const retryAfterMs = retryAfter(headers) ?? retryIn(words)
  // some providers call the limit of a minute a quota too, and say when to come back
  if ((noCredit.test(words) && retryAfterMs === undefined) || status === 402) {
    return explain(
      'rate_limit',
      `The account with the model provider has no credit left.${quoted(said)}`,
      'Add credit at the provider, or choose another model.',
    )
  }
  if (status === 429 || ((rateLimited.test(words) || noCredit.test(words)) && isRefusal))
    return rateLimit(retryAfterMs, said)
  if ((tooLong.test(words) && isTooLong(status)) || status === 413) {
    return explain(
      'context_length',
      `This branch is longer than the model can read.${quoted(said)}`,
      'Branch from an earlier message, or choose a model with a larger context.',
    )
  }
  if (filtered.test(words) && isRefusal) {
    return explain(
      'refused',
      `The provider declined to answer this.${quoted(said)}`,
      'Edit the message to word it differently, or choose another model.',
    )
  }
  if (noModel.test(words) && isRefusal && status !== 401) return modelMissing(said)
  if (badKey.test(words)) return keyRefused(said)
  if (overloaded.test(words) && (status === undefined || status >= 500)) return tooBusy(said, retryAfterMs)
  return undefined
}

/** Some servers call a prompt that is too long a failure of their own. */
const isTooLong = (status: number | undefined): boolean => status === undefined || status <= 500

function fromStatus({ status, said, words, headers }: Facts): ExplainedError | undefined {
  if (status === undefined || status < 400) return undefined
  if (status === 401 || status === 403) return keyRefused(said)
  if (status === 404) return words.includes('model') ? modelMissing(said) : nothingThere(said)
  if (status === 408) return timedOut
  if (status >= 500) return tooBusy(said, retryAfter(headers))
  return explain('refused', `The provider rejected the request.${quoted(said)}`, 'Choose another model.')
}

function fromConnection(error: unknown, { words }: Facts): ExplainedError | undefined {
  const names = namesOf(error)
  const has = (name: RegExp) => names.some((is) => name.test(is))
  if (has(/^(?:TimeoutError|ETIMEDOUT)$|_TIMEOUT$/)) return timedOut
  if (has(/^AbortError$/)) {
    return explain('network', 'The request to the model was cancelled.', 'Try again.')
  }
  if (has(/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/)) return unreachable
  const lost = /fetch failed|cannot connect|socket hang up|terminated|other side closed|without a finish/
  const broken = /^(?:ECONN\w+|EPIPE|EPROTO|EHOSTUNREACH|ENETUNREACH|UND_ERR_\w+|CERT_\w+)$/
  return has(broken) || lost.test(words) ? connectionLost : undefined
}

function rateLimit(retryAfterMs: number | undefined, said: string): ExplainedError {
  return explain(
    'rate_limit',
    `The provider is limiting how often this model may be asked.${quoted(said)}`,
    `${waitWords(retryAfterMs)}, or choose another model.`,
    { retryable: true, retryAfterMs },
  )
}

const waitWords = (retryAfterMs: number | undefined): string =>
  retryAfterMs === undefined
    ? 'Wait a moment and try again'
    : `Try again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s`

/** Delay that a provider asks for, in ms, from headers with names in lower case. */
export function retryAfter(headers: Facts['headers']): number | undefined {
  const ms = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (ms >= 0) return ms
  const value = headers['retry-after'] ?? ''
  const seconds = Number.parseFloat(value)
  if (seconds >= 0) return seconds * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

/** Delay that a provider asks for in its words, in ms: "Please try again in 1m2.5s". */
function retryIn(words: string): number | undefined {
  const found =
    /(?:try again|retry|retry[_ -]?delay|retry[_ -]?after)["']?(?: in|:)? *["']?(?:(\d+)m)?([\d.]+) ?(ms|s)\b/.exec(
      words,
    )
  if (!found) return undefined
  const [, minutes = '0', amount = '', unit] = found
  return Number(minutes) * 60_000 + Number.parseFloat(amount) * (unit === 'ms' ? 1 : 1000)
}

const keyRefused = (said: string) =>
  explain(
    'bad_key',
    `The provider did not accept the key, or the key may not use this model.${quoted(said)}`,
    'Check the key in the settings, or choose another model.',
  )
const modelMissing = (said: string) =>
  explain('unknown', `The provider does not offer this model.${quoted(said)}`, 'Choose another model.')
const nothingThere = (said: string) =>
  explain(
    'unknown',
    `The provider has no models at this address.${quoted(said)}`,
    'Check the provider’s base URL, which often ends with /v1, or choose another model.',
  )
const tooBusy = (said: string, retryAfterMs: number | undefined) =>
  explain(
    'overloaded',
    `The provider is overloaded or has an internal problem.${quoted(said)}`,
    `${waitWords(retryAfterMs)}, or choose another model.`,
    { retryable: true, retryAfterMs },
  )
const silentFor = (silenceMs: number) =>
  explain(
    'network',
    `The model said nothing for ${timeWords(silenceMs)}.`,
    'Try again, or choose another model. A longer wait can be set: for your own server under Settings, Models, for all with RAMIFY_MODEL_SILENCE_MS.',
  )

/** A time in minutes, or in seconds where it is shorter than two. */
const timeWords = (ms: number): string =>
  ms >= 120_000 ? `${Math.round(ms / 60_000)} minutes` : `${Math.max(1, Math.round(ms / 1000))} s`

const timedOut = explain(
  'network',
  'The model did not answer in time.',
  'Try again, or choose another model.',
)
const unreachable = explain(
  'network',
  'The model could not be reached: nothing answers at its address.',
  'Check that the provider is running and its address is right, then try again.',
)
/** Shared with `streamReply`: a stream that ends without saying why is a lost connection. */
export const connectionLost = explain(
  'network',
  'The connection to the model was lost before it had finished.',
  'Try again.',
)
/** Shared with `boundedFetch`, which counts bytes, and `tidyParts`, which counts characters. */
export const answerTooLong = explain(
  'refused',
  'The answer is too long: the rest of it was not read.',
  'Ask for a shorter answer, or choose another model.',
)

/** An explanation. Failures of the network and of a busy provider pass by themselves, so they are retryable. */
export function explain(
  kind: ErrorKind,
  message: string,
  advice: string,
  more: { retryable?: boolean; retryAfterMs?: number } = {},
): ExplainedError {
  return { kind, message, advice, retryable: kind === 'network' || kind === 'overloaded', ...more }
}

const quoted = (said: string): string => (saysNothing(said) ? '' : ` It said: “${said}”`)

/** The error of a class that is an error, or caused it. */
function causeOf<T extends Error>(error: unknown, kind: abstract new (...args: never[]) => T): T | undefined {
  let current = error
  // Bounded, because a cause may point back at its own error.
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (current instanceof kind) return current
    current = current.cause
  }
  return undefined
}

/** The names and codes of an error and its causes. */
function namesOf(error: unknown): string[] {
  const found: string[] = []
  let current = error
  // Bounded, because a cause may point back at its own error.
  while (found.length < 16 && typeof current === 'object' && current !== null) {
    const { name, code, cause }: { name?: unknown; code?: unknown; cause?: unknown } = current
    found.push(String(name ?? ''), String(code ?? ''))
    current = cause
  }
  return found
}
