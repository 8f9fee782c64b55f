import { expect, test } from 'vitest'
import { withProblem } from '@/lib/server/identity/identity-answers'

test('given an error with a code, then it is a problem document with that code, its status and its cookies', async () => {
  const error = { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' }
  const headers = { 'set-cookie': 'a=; Max-Age=0' }
  const answer = await withProblem(Response.json(error, { status: 401, headers }))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'application/problem+json'])
  expect(answer.headers.get('set-cookie')).toBe('a=; Max-Age=0')
  expect(await answer.json()).toEqual({
    type: 'about:blank',
    title: 'Not signed in',
    status: 401,
    detail: 'Invalid email or password',
    code: 'invalid_email_or_password',
  })
})

test.each(['', 'oops', 'null', '[]', '{"code":5,"message":{}}'])(
  'given an error that says "%s", then the document has a sentence of its own',
  async (body) => {
    const answer = await withProblem(new Response(body, { status: 422 }))
    expect(await answer.json()).toMatchObject({ status: 422, code: 'refused', detail: 'Invalid request.' })
  },
)

test('given a failure inside, then nothing of it is shown', async () => {
  const answer = await withProblem(Response.json({ message: 'select secret' }, { status: 500 }))
  expect(await answer.text()).not.toContain('secret')
})

test('given a success, then it is passed on untouched', async () => {
  const response = Response.json({ user: {} })
  expect(await withProblem(response)).toBe(response)
})
