import { APICallError } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { outlineError } from '@/lib/runtime/outline-error'

const SECRET = 'the plan of the heist'

/** Errors of code that handles a secret. */
function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code })
const strict = z.object({ a: z.literal('b') }).strict()
const nested = new Error('a', { cause: new Error('b', { cause: new Error(`no "${SECRET}"`) }) })
const cases: [string, unknown][] = [
  ['what a JSON parser read', thrownBy(() => JSON.parse(`{"said": ${SECRET}`))],
  ['the same with quotes in it', thrownBy(() => JSON.parse(`{"a": "b", ${SECRET} "c": "d"}`))],
  ['what a schema was given', thrownBy(() => strict.parse({ [SECRET]: SECRET }))],
  ['what was no address', thrownBy(() => new URL(SECRET, 'relative'))],
  ['a value of a statement', withCode(`invalid input syntax for type uuid: "${SECRET}"`, '22P02')],
  ['a word of a search', withCode(`syntax error in tsquery: "${SECRET}"`, '42601')],
  ['a statement’s values', new Error(`Failed query: select $1\nparams: ${SECRET}`)],
  ['what a provider repeats', apiError(`The prompt ${SECRET} was rejected`)],
  ['a thrown text', `cannot use '${SECRET}'`],
  ['a thrown object', { said: SECRET }],
  ['what stands in a cause of a cause', nested],
  ['what hangs on the error', Object.assign(new Error('failed'), { params: [SECRET], query: SECRET })],
  ['a message made to look like a place in the code', new Error(`failed\n    at ${SECRET} (a.ts:1:1)`)],
]
it.each(cases)('given an error that quotes %s, then it is told without', (_, error) => {
  const told = outlineError(error)
  expect(told).not.toContain(SECRET)
  expect(told).not.toContain('heist')
  expect(told.length).toBeGreaterThan(5)
})

it.each([
  ['an API key', `Incorrect API key provided: sk-test-1234567890`, 'sk-test'],
  ['a bearer token', `refused authorization Bearer abcdefgh`, 'abcdefgh'],
  ['a cookie', `bad header session_token=abc.def`, 'abc.def'],
  ['a connection’s password', `connect failed for password=hunter2`, 'hunter2'],
  ['an e-mail address', `no user ada@example.org`, 'ada@'],
])('given an error with %s, then it is told without', (_, message, secret) => {
  expect(outlineError(new Error(message))).not.toContain(secret)
})

it('given an error that crosses causes in a circle, then it ends', () => {
  const error = new Error('a')
  error.cause = error
  expect(outlineError(error).split('because').length).toBeLessThan(10)
})

it('given a message with line breaks and escapes of a terminal, then it forges no line', () => {
  const told = outlineError(Object.assign(new Error('a\u001b[2J\rb\u2028c'), { stack: '' }))
  expect(told).toBe('Error: a\\u001b[2J\\u000db\\u2028c')
})

it('given an ordinary error, then what happened and where can still be read', () => {
  const words = 'duplicate key value violates unique constraint "runs_pk"'
  const told = outlineError(new Error('storing failed', { cause: withCode(words, '23505') }))
  expect(told).toContain('Error: storing failed\n    at ')
  expect(told).toContain('outline-error.test.ts:')
  expect(told).toContain(`because: Error: 23505 ${words}`)
  const read = thrownBy(() => (undefined as unknown as { x: 1 }).x)
  expect(outlineError(read)).toContain('Cannot read properties of undefined')
  const refused = 'connect ECONNREFUSED 127.0.0.1:5432'
  expect(outlineError(withCode(refused, 'ECONNREFUSED'))).toContain(refused)
})

it('given an error of a provider, then its kind and status are told', () => {
  expect(outlineError(apiError('no'))).toMatch(/^AI_APICallError: refused, status 400/)
})

function apiError(message: string): Error {
  const url = `https://api.example.test/?key=${SECRET}`
  const given = { requestBodyValues: { prompt: SECRET }, responseBody: SECRET }
  return new APICallError({ message, url, statusCode: 400, ...given })
}
