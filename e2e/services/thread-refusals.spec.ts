import { expect, test } from '../support/test'
import { ThreadApi } from '../support/thread-api'

// Refusals of the commands and reads of threads.

test('an impossible request is refused with its status, writes nothing, and the next good request works', async ({
  request,
}) => {
  const api = await new ThreadApi(request).signIn()
  const { thread_id } = await api.create()
  await api.talk(thread_id, 'Good')
  const before = (await api.get(`/threads/${thread_id}/events`)).text
  const lists = (await api.get('/threads')).text
  const send = { thread_id, content: 'x' }
  for (const [command, body, status, detail] of [
    ['send-message', { ...send, content: '' }, 400, 'Message cannot be empty'],
    ['send-message', { ...send, content: ' \n ' }, 400, 'Message cannot be empty'],
    ['send-message', { ...send, content: 'x'.repeat(100_001) }, 400, 'too long'],
    ['send-message', { ...send, content: 'a\0b' }, 400, 'NUL'],
    ['send-message', { ...send, content: 'a\ud800b' }, 400, 'surrogate'],
    ['send-message', { ...send, content: 7 }, 400, 'content'],
    ['send-message', { thread_id }, 400, 'Message cannot be empty'],
    ['send-message', { content: 'x' }, 400, 'thread_id'],
    ['send-message', { ...send, expectedVersion: 4 }, 400, 'expectedVersion'],
    ['send-message', { ...send, expected_version: '4' }, 400, 'expected_version'],
    ['send-message', { ...send, thread_id: 'nowhere' }, 404, 'Thread not found'],
    ['fork-thread', { source_thread_id: 'nowhere', event_number: 1 }, 404, 'Thread not found'],
    ['fork-thread', { source_thread_id: thread_id, event_number: 5 }, 404, 'Event not found'],
    ['fork-thread', { source_thread_id: thread_id, event_number: 0 }, 404, 'Event not found'],
    ['fork-thread', { source_thread_id: thread_id, event_number: 1.5 }, 400, 'event_number'],
    ['fork-thread', { source_thread_id: thread_id }, 400, 'event_number'],
    ['fan-out', send, 400, 'one of `models`'],
    ['fan-out', { ...send, count: 1 }, 400, '2 to 8'],
    ['fan-out', { ...send, count: 9 }, 400, '2 to 8'],
    ['fan-out', { ...send, count: 2.5 }, 400, 'count'],
    ['fan-out', { ...send, models: [] }, 400, '2 to 8'],
    ['fan-out', { ...send, models: ['demo:demo', 'missing:at-all'] }, 400, 'missing:at-all'],
    ['fan-out', { ...send, contexts: ['one', 'two'] }, 400, 'context'],
    ['fan-out', { ...send, presets: ['one', 'two'] }, 400, 'no such preset'],
    ['fan-out', { ...send, count: 2, presets: ['one', 'two'] }, 400, 'one of `models`'],
    ['fan-out', { ...send, count: 2, models: ['demo:demo', 'demo:demo'] }, 400, 'one of `models`'],
    ['fan-out', { ...send, count: 2, counts: 2 }, 400, 'counts'],
    ['fan-out', { ...send, content: ' ', count: 2 }, 400, 'Message cannot be empty'],
    ['fan-out', { thread_id, count: 2 }, 400, 'either `content` or'],
    ['fan-out', { ...send, message_id: 'x', count: 2 }, 400, 'either `content` or'],
    ['fan-out', { thread_id, message_id: 'nowhere', count: 2 }, 404, 'Message not found'],
    ['fan-out', { ...send, thread_id: 'nowhere', count: 2 }, 404, 'Thread not found'],
    ['keep-thread', { thread_id, other_thread_ids: [] }, 400, 'other_thread_ids'],
    ['keep-thread', { thread_id, other_thread_ids: [thread_id] }, 400, 'among'],
    ['keep-thread', { thread_id, other_thread_ids: ['nowhere'] }, 404, 'Thread not found'],
    ['keep-thread', { thread_id: 'nowhere', other_thread_ids: [thread_id] }, 404, 'Thread not found'],
    ['create-thread', { title: '  ' }, 400, 'name'],
    ['create-thread', { title: 'x'.repeat(201) }, 400, '200'],
    ['create-thread', { titel: 'x' }, 400, 'titel'],
  ] as const) {
    const refused = await api.post(`/commands/${command}`, body)
    expect(refused.status, JSON.stringify(body).slice(0, 80)).toBe(status)
    expect(refused.headers['content-type']).toContain('application/problem+json')
    expect(refused.body.detail).toContain(detail)
    expect(refused.text).not.toMatch(/at .*\.(ts|js):\d+/)
  }
  for (const [data, type, status] of [
    ['', 'application/json', 400],
    ['{"thread_id":', 'application/json', 400],
    ['null', 'application/json', 400],
    ['[]', 'application/json', 400],
    ['{}', 'text/plain', 415],
    [`{"x":${'['.repeat(70)}${']'.repeat(70)}}`, 'application/json', 400],
    [`{"x":"${'x'.repeat(1_000_001)}"}`, 'application/json', 413],
  ] as const) {
    for (const prefix of ['/api', '']) {
      const refused = await request.post(`${prefix}/commands/send-message`, {
        headers: { 'content-type': type },
        data: Buffer.from(data),
      })
      expect(refused.status(), data.slice(0, 40)).toBe(status)
      expect(refused.headers()['content-type']).toContain('application/problem+json')
    }
  }
  for (const [address, status] of [
    [`/threads/${thread_id}/messages?limit=0`, 400],
    [`/threads/${thread_id}/messages?after=-1`, 400],
    [`/threads/${thread_id}/events?after=abc`, 400],
    [`/threads/${thread_id}/events?after=99999999999`, 400],
    ['/threads?limit=501', 400],
    ['/threads?before=nowhere', 404],
    ['/threads/%00/head', 404],
    ['/threads/nowhere/branches', 404],
  ] as const) {
    expect((await api.get(address)).status, address).toBe(status)
  }
  expect((await request.get('/threads/%E0%A4%A/head')).status()).toBe(400)
  expect((await api.get(`/threads/${thread_id}/events`)).text).toBe(before)
  expect((await api.get('/threads')).text).toBe(lists)
  expect(await api.talk(thread_id, 'Good again')).not.toBe('')
})

test('an address answers only the methods it has, and says which those are', async ({ request }) => {
  for (const [method, address, allow] of [
    ['GET', '/api/commands/send-message', 'POST, OPTIONS'],
    ['DELETE', '/commands/fork-thread', 'POST, OPTIONS'],
    ['POST', '/api/threads', 'GET, HEAD, OPTIONS'],
    ['PUT', '/threads/x/messages', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/api/keys', 'GET, POST, HEAD, OPTIONS'],
    ['GET', '/api/keys/x', 'DELETE, OPTIONS'],
  ] as const) {
    const refused = await request.fetch(address, { method })
    expect(refused.status(), address).toBe(405)
    expect(refused.headers().allow).toBe(allow)
    expect(await refused.json()).toMatchObject({ status: 405, code: 'method_not_allowed' })
  }
})

test('without a session every read is refused, and another person’s thread is answered as a missing one, byte for byte', async ({
  request,
  playwright,
  baseURL,
}) => {
  const visitor = new ThreadApi(request)
  for (const address of [
    '/threads',
    '/threads/x/messages',
    '/threads/x/events',
    '/threads/x/head',
    '/api/keys',
  ]) {
    const refused = await visitor.get(address)
    expect(refused.status, address).toBe(401)
    expect(refused.headers['www-authenticate']).toBe('Bearer')
  }
  expect((await visitor.post('/commands/create-thread', {})).status).toBe(401)

  const ada = await visitor.signIn()
  const { thread_id } = await ada.create()
  await ada.talk(thread_id, 'Mine alone')
  const context = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  const bob = await new ThreadApi(context).signIn()
  for (const read of ['messages', 'events', 'branches', 'head']) {
    const foreign = await bob.get(`/threads/${thread_id}/${read}`)
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe((await bob.get(`/threads/nowhere/${read}`)).text)
  }
  for (const [command, body] of [
    ['send-message', (id: string) => ({ thread_id: id, content: 'x' })],
    ['fork-thread', (id: string) => ({ source_thread_id: id, event_number: 1 })],
  ] as const) {
    const foreign = await bob.post(`/commands/${command}`, body(thread_id))
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe((await bob.post(`/commands/${command}`, body('nowhere'))).text)
  }
  expect((await bob.get(`/threads?before=${thread_id}`)).status).toBe(404)
  expect((await bob.get('/threads')).body).toEqual({ threads: [], next: null })
  await context.dispose()
})
