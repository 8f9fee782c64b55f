import { expect, test } from 'vitest'
import { defineOpenOperation, noRoute, routeOf } from '@/lib/server/api/operation'

const operation = (method: 'get' | 'post' | 'delete') =>
  defineOpenOperation({
    ...{ id: method, method, path: '/api/things', tag: 'Operations', asks: 'anyone', summary: method },
    output: { description: 'Done.' },
    use: async (request) => Response.json({ by: request.method }),
  })

const send = (handle: ReturnType<typeof routeOf>['GET'], method: string) =>
  handle(new Request('http://ramify.test/api/things', { method }), { params: Promise.resolve({}) })

const route = routeOf(operation('get'), operation('delete'))

test('given its operations, then each answers its method, and GET answers HEAD', async () => {
  expect(await (await send(route.GET, 'GET')).json()).toEqual({ by: 'GET' })
  expect(await (await send(route.DELETE, 'DELETE')).json()).toEqual({ by: 'DELETE' })
  expect(route.HEAD).toBe(route.GET)
})

test('given another method, then it is refused with the methods there are', async () => {
  const refused = await send(route.POST, 'POST')
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, DELETE, HEAD, OPTIONS'])
  expect(await refused.json()).toMatchObject({
    code: 'method_not_allowed',
    detail: 'POST is not possible here. This address takes GET and DELETE.',
  })
})

test('given OPTIONS, then the methods are listed; without a GET, HEAD is refused', async () => {
  const only = routeOf(operation('post'))
  const listed = await send(only.OPTIONS, 'OPTIONS')
  expect([listed.status, listed.headers.get('allow')]).toEqual([204, 'POST, OPTIONS'])
  expect((await send(only.HEAD, 'HEAD')).status).toBe(405)
})

test('given an address without operations, then every method is refused', async () => {
  const answers = await Promise.all(Object.entries(noRoute).map(([method, handle]) => send(handle, method)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
})
