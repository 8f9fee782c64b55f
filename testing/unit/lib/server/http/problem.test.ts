import { expect, it } from 'vitest'
import { toProblem } from '@/lib/server/http/problem'
import { GateFullError } from '@/lib/store'

const cancelled = Object.assign(new Error('canceling statement due to user request'), { code: '57014' })

it.each([
  ['a statement that was cancelled', cancelled, 503, 'timed_out'],
  ['one of the builder that was', new Error('Failed query', { cause: cancelled }), 503, 'timed_out'],
  ['a person with many searches', new GateFullError('person'), 429, 'too_many_searches'],
  ['a server with many searches', new GateFullError('server'), 503, 'busy'],
  ['anything else', new Error('wrong'), 500, 'internal'],
])(
  'given %s, when it is refused, then status and code say so, and when to ask again',
  (_, error, status, code) => {
    const problem = toProblem(error)
    expect(problem).toMatchObject({ status, code })
    expect(problem.retry_after === undefined).toBe(status === 500)
  },
)
