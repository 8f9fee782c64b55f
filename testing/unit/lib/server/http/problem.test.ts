import { expect, it } from 'vitest'
import { QuotaExceededError } from '@/lib/context'
import { problemResponse, toProblem } from '@/lib/server/http/problem'
import { GateFullError } from '@/lib/store'

const cancelled = Object.assign(new Error('canceling statement due to user request'), { code: '57014' })

it.each([
  ['a statement that was cancelled', cancelled, 503, 'timed_out'],
  ['one of the builder that was', new Error('Failed query', { cause: cancelled }), 503, 'timed_out'],
  ['a person with many searches', new GateFullError('person', 'searches'), 429, 'too_many_searches'],
  ['one with many long bodies', new GateFullError('person', 'long bodies'), 429, 'too_many_long_bodies'],
  ['one with many calls of agents', new GateFullError('person', 'calls of agents'), 429, 'too_many_calls'],
  ['one with many exports', new GateFullError('person', 'exports'), 429, 'too_many_exports'],
  ['a server with many searches', new GateFullError('server', 'searches'), 503, 'busy'],
  ['anything else', new Error('wrong'), 500, 'internal'],
])('given %s, then status and code say so, and when to ask again', (_, error, status, code) => {
  const problem = toProblem(error)
  expect(problem).toMatchObject({ status, code })
  expect(problem.retry_after === undefined).toBe(status === 500)
})

it('given a limit of a day, when it is reached, then the answer says which, how much is used and when it frees', async () => {
  const refused = problemResponse(new QuotaExceededError('messages', 2000, 2000, 5 * 3600 - 60, 'ada'))
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('17940')
  const [title, code] = ['Too many requests', 'quota_exceeded']
  expect(await refused.json()).toEqual({
    type: 'about:blank',
    title,
    status: 429,
    code,
    limit: 'messages',
    allowed: 2000,
    used: 2000,
    detail:
      'You have sent 2,000 messages today, the most this server allows in a day. It frees at 00:00 UTC, in 5 hours.',
    retry_after: 17_940,
  })
})

it('given a limit of stored data, when it is reached, then the answer says what to delete, and no time', async () => {
  const refused = problemResponse(new QuotaExceededError('bytes', 1_000_000_000, 999_812_345, null))
  expect(await refused.json()).toMatchObject({
    detail:
      'What you have stored comes to 999 MB, and this server allows 1 GB. Delete a chat you no longer need.',
    limit: 'bytes',
    allowed: 1_000_000_000,
    used: 999_812_345,
  })
  const chats = problemResponse(new QuotaExceededError('chats', 3, 3, null))
  expect(await chats.json()).not.toHaveProperty('retry_after')
})
