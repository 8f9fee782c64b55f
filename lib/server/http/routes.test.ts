import { expect, test } from 'vitest'
import { routesBelow } from './routes'

type Method = 'get' | 'post' | 'delete'

/** An operation that tells its path and its parameters. */
const operation = (method: Method, path: string) => ({
  method,
  path,
  handle: async (_: Request, { params }: { params: Promise<object> }) =>
    Response.json({ at: `${method} ${path}`, params: await params }),
})

const route = routesBelow('/api', [
  operation('get', '/api/things'),
  operation('delete', '/api/things'),
  operation('post', '/api/things/{id}'),
  operation('get', '/api/things/{id}/parts/{part_id}'),
  operation('get', '/api/things/preview'),
  operation('get', '/v1/models'),
])

const ask = (method: keyof typeof route, path: string, of = route) =>
  of[method](new Request(`http://localhost/api/${path}`, { method }), {
    params: Promise.resolve({ path: path === '' ? undefined : path.split('/').map(decodeURIComponent) }),
  })

test.each([
  ['GET', 'things', { at: 'get /api/things', params: {} }],
  ['HEAD', 'things', { at: 'get /api/things', params: {} }],
  ['DELETE', 'things', { at: 'delete /api/things', params: {} }],
  [
    'GET',
    'things/a%2Fb/parts/%7Bid%7D',
    { at: 'get /api/things/{id}/parts/{part_id}', params: { id: 'a/b', part_id: '{id}' } },
  ],
  ['POST', 'things/1', { at: 'post /api/things/{id}', params: { id: '1' } }],
  ['GET', 'things/preview', { at: 'get /api/things/preview', params: {} }],
] as const)(
  'given %s %s, then its operation answers, with the parameters of the path',
  async (method, path, said) => {
    expect(await (await ask(method, path)).json()).toEqual(said)
  },
)

test.each([
  [
    'POST',
    'things',
    'GET, DELETE, HEAD, OPTIONS',
    'POST is not possible here. This address takes GET and DELETE.',
  ],
  ['HEAD', 'things/1', 'POST, OPTIONS', 'HEAD is not possible here. This address takes POST.'],
  ['POST', 'things/preview', 'GET, HEAD, OPTIONS', 'POST is not possible here. This address takes GET.'],
] as const)(
  'given %s %s, then it is refused with the methods there are',
  async (method, path, allow, detail) => {
    const refused = await ask(method, path)
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, allow])
    expect(await refused.json()).toMatchObject({ code: 'method_not_allowed', detail })
  },
)

test('given OPTIONS, then the methods are listed, and pages of other sites are told of them only where they may ask', async () => {
  const open = routesBelow('/api', [{ ...operation('post', '/api/token'), openToPages: true }])
  const [own, others] = [await ask('OPTIONS', 'things'), await ask('OPTIONS', 'token', open)]
  expect([own.status, own.headers.get('allow')]).toEqual([204, 'GET, DELETE, HEAD, OPTIONS'])
  expect(own.headers.get('access-control-allow-origin')).toBeNull()
  expect(others.headers.get('access-control-allow-origin')).toBe('*')
  expect(others.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS')
})

test.each(['', 'things/1/2', 'things/1/parts', 'things/1/parts/2/3', 'v1/models', 'constructor'])(
  'given "%s", which is no address, then every method is refused, or answered otherwise',
  async (path) => {
    const other = routesBelow('/api', [operation('get', '/api/things')], async () => new Response('other'))
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      const refused = await ask(method, path)
      expect([refused.status, (await refused.json()).code]).toEqual([404, 'not_found'])
      expect(await (await ask(method, path, other)).text()).toBe('other')
    }
  },
)

test('given an address in words of another protocol, then a wrong method is refused in them', async () => {
  const refuseMethod = (_: Request, allow: string) => new Response(allow, { status: 405 })
  const route = routesBelow('/api', [{ ...operation('post', '/api/messages'), refuseMethod }])
  expect(await (await ask('GET', 'messages', route)).text()).toBe('POST, OPTIONS')
})
