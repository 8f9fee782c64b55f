import { NextRequest } from 'next/server'
import { expect, it, vi } from 'vitest'
import { PageRate } from '@/lib/server/http/page-rate'

vi.mock('@/lib/runtime/front/request-origin', async (original) => ({
  ...(await original<object>()),
  clientAddress: ({ headers }: { headers: Headers }) => headers.get('x-test-address'),
}))

const page = (address: string, session?: string, path = '/c/trip') =>
  new NextRequest(`http://localhost:3000${path}`, {
    headers: {
      'x-test-address': address,
      ...(session === undefined ? {} : { cookie: `better-auth.session_token=${session}` }),
    },
  })
const ask = (rate: PageRate, times: number, request: (n: number) => NextRequest) =>
  Array.from({ length: times }, (_, n) => rate.refusalOf(request(n))?.status).filter(
    (status) => status === 429,
  ).length

it('given a session, when it asks for more pages than its limit, then it is told to wait, and another is not', () => {
  const rate = new PageRate(5)
  expect(ask(rate, 8, () => page('1.1.1.1', 'ada'))).toBe(3)
  expect(rate.refusalOf(page('1.1.1.1', 'ada'))?.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(ask(rate, 5, () => page('1.1.1.1', 'bob'))).toBe(0)
})

it('given requests without a session, or with a new one each, when they come from one address, then that is limited', () => {
  expect(ask(new PageRate(5), 60, () => page('1.1.1.1'))).toBe(10)
  expect(ask(new PageRate(5), 60, (n) => page('1.1.1.1', `made up ${n}`))).toBe(10)
  expect(ask(new PageRate(5), 60, (n) => page(`1.1.1.${n}`))).toBe(0)
})

it.each(['/api/chats/trip/graph', '/threads/t1', '/commands/send-message', '/v1/models'])(
  'given %s, which counts by itself, when it is asked often, then it is not counted here',
  (path) => {
    expect(ask(new PageRate(1), 50, () => page('1.1.1.1', 'ada', path))).toBe(0)
  },
)
