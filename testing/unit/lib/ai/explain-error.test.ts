import { APICallError, LoadAPIKeyError } from '@ai-sdk/provider'
import { RetryError, StreamProviderError } from 'ai'
import { expect, it } from 'vitest'
import { explainError } from '@/lib/ai/explain-error'
import { ProviderNotConfiguredError, UnknownModelError } from '@/lib/ai/model-errors'

const KEY = 'sk-proj-abcdef1234567890abcdef1234567890'

type More = { body?: string; headers?: Record<string, string> }
const answered = (statusCode: number, message: string, { body, headers = {} }: More = {}) =>
  new APICallError({
    message,
    url: `https://api.example.test/v1?key=${KEY}`,
    requestBodyValues: { key: KEY },
    statusCode,
    responseBody: body ?? JSON.stringify({ error: { message } }),
    responseHeaders: headers,
  })

const lost = (code: string) =>
  new APICallError({
    message: `Cannot connect to API: connect ${code} 10.0.0.7:8080`,
    url: 'http://10.0.0.7:8080/v1',
    requestBodyValues: {},
    cause: Object.assign(new Error(`connect ${code} 10.0.0.7:8080`), { code }),
    isRetryable: true,
  })

const coded = '{"code":"context_length_exceeded"}'
const long = ['context_length', false] as const
const overloaded = ['overloaded', true] as const
const network = ['network', true] as const
const unknown = ['unknown', false] as const
it.each([
  ['429', answered(429, 'Rate limit reached'), 'rate_limit', true],
  ['429 without credit', answered(429, 'You exceeded your current quota'), 'rate_limit', false],
  ['402', answered(402, 'Payment required'), 'rate_limit', false],
  ['OpenAI context', answered(400, "This model's maximum context length is 8192 tokens"), ...long],
  ['Anthropic context', answered(400, 'prompt is too long: 210000 tokens > 200000'), ...long],
  ['Google context', answered(400, 'The input token count (2) exceeds the maximum'), ...long],
  ['a code in the body', answered(400, 'Bad Request', { body: coded }), ...long],
  ['413', answered(413, 'Payload Too Large'), ...long],
  ['401', answered(401, 'Incorrect API key provided'), 'bad_key', false],
  ['403', answered(403, 'Forbidden'), 'bad_key', false],
  ['Google key', answered(400, 'API key not valid. Please pass a valid API key.'), 'bad_key', false],
  ['a missing key', new LoadAPIKeyError({ message: 'OpenAI API key is missing' }), 'bad_key', false],
  ['content filter', answered(400, 'blocked by content_filter'), 'refused', false],
  ['another 400', answered(400, 'Unsupported parameter: temperature'), 'refused', false],
  ['404', answered(404, 'The model gpt-9 does not exist'), ...unknown],
  ['500', answered(500, 'Internal server error'), ...overloaded],
  ['529', answered(529, 'Overloaded'), ...overloaded],
  ['an event', new StreamProviderError({ message: 'Overloaded', type: 'overloaded_error' }), ...overloaded],
  ['ECONNREFUSED', lost('ECONNREFUSED'), ...network],
  ['ECONNRESET', lost('ECONNRESET'), ...network],
  ['a cut body', new TypeError('terminated', { cause: { code: 'UND_ERR_SOCKET' } }), ...network],
  ['fetch failed', new TypeError('fetch failed'), ...network],
  ['AbortError', new DOMException('This operation was aborted', 'AbortError'), ...network],
  ['TimeoutError', new DOMException('The operation timed out', 'TimeoutError'), ...network],
  ['an unknown model', new UnknownModelError('x:y', ['demo:demo']), ...unknown],
  ['a model without key', new ProviderNotConfiguredError('openai:x', 'OPENAI_API_KEY'), ...unknown],
  ['a bug of ours', new TypeError("Cannot read properties of undefined (reading 'parts')"), ...unknown],
  ['a string', 'boom', ...unknown],
  ['nothing', undefined, ...unknown],
] as const)('given %s, then kind and retryable are told', (_, error, kind, retryable) => {
  const explained = explainError(error)
  expect(explained).toMatchObject({ kind, retryable })
  expect(explained.message).toMatch(/^[A-Z].*[.”]$/)
  expect(explained.advice).toMatch(/^[A-Z].*\.$/)
})

it('given a RetryError, then its last error is what counts', () => {
  const errors = [lost('ECONNRESET'), answered(429, 'Slow down')]
  const error = new RetryError({ message: 'gave up', reason: 'maxRetriesExceeded', errors })
  expect(explainError(error).kind).toBe('rate_limit')
})

it.each([
  [{ 'retry-after': '7' }, 7000, '7 s'],
  [{ 'retry-after-ms': '1500' }, 1500, '2 s'],
])('given %j, then it says how long to wait', (headers, retryAfterMs, words) => {
  const explained = explainError(answered(429, 'Slow down', { headers }))
  expect(explained.retryAfterMs).toBe(retryAfterMs)
  expect(explained.advice).toContain(words)
})

it.each([
  ['a key', answered(400, `Bad value in Authorization: Bearer ${KEY}`)],
  ['a rejected key', answered(401, `Incorrect API key provided: ${KEY}`)],
  ['a stack trace', answered(400, 'Oops\n    at handler (/srv/app/secret/route.ts:12:3)')],
  ['an address', answered(400, 'Upstream http://10.0.0.7:8080/v1 and /srv/app/secret/route.ts failed')],
  ['an address it could not reach', lost('ECONNREFUSED')],
  ['a bug with a path', new Error('ENOENT: /srv/app/secret/route.ts')],
  ['a key in JSON', answered(400, 'body was {"api_key":"abcdef1234567890"}')],
])('given %s in the error, then it is not repeated', (_, error) => {
  const shown = JSON.stringify(explainError(error))
  for (const secret of [KEY, 'abcdef', '10.0.0.7', 'route.ts', 'at handler'])
    expect(shown).not.toContain(secret)
})

it('given a long message with a broken character, then it is cut and repaired', () => {
  const { message } = explainError(answered(400, `${'word '.repeat(200)}\ud800\0`))
  expect(message.length).toBeLessThan(320)
  expect(message.isWellFormed()).toBe(true)
})
