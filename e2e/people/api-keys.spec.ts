import { expect, test } from '../support/test'
import { ThreadApi } from '../support/thread-api'

// API keys, from the first to the last use.

test('a key does what its owner can, until it is revoked; it needs no cookie and no origin', async ({
  request,
  playwright,
  baseURL,
}) => {
  const ada = await new ThreadApi(request).signIn()
  const { thread_id } = await ada.create('Mine')
  const made = await ada.post('/api/keys', { name: ' nightly ' })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ name: 'nightly', key: expect.stringMatching(/^rk_[\w-]{43}$/) })
  const { id, key } = made.body as { id: string; key: string }
  expect((await ada.get('/api/keys')).body.keys).toEqual([
    {
      ...{ id, name: 'nightly', hint: key.slice(0, 8), scopes: ['read', 'write'] },
      ...{ created_at: expect.any(String), expires_at: null, last_used_at: null },
    },
  ])

  // given a script without a cookie, with the origin of another site
  const bare = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  const script = new ThreadApi(bare, { authorization: `Bearer ${key}`, origin: 'https://elsewhere.example' })
  expect((await script.get('/threads')).body.threads).toHaveLength(1)
  expect(await script.talk(thread_id, 'Hello')).not.toBe('')
  expect((await script.get('/api/keys')).body.keys[0].last_used_at).toEqual(expect.any(String))
  // the browser chat’s routes take it too
  const graph = await bare.get(`/api/chats/${(await script.get('/threads')).body.threads[0].chat_id}/graph`, {
    headers: { authorization: `bearer ${key}` },
  })
  expect(graph.status()).toBe(200)
  // a cookie alone from there is refused
  const foreign = await request.post('/commands/create-thread', {
    headers: { origin: 'https://elsewhere.example' },
    data: {},
  })
  expect(foreign.status()).toBe(403)

  // a wrong key is refused, also beside a good cookie
  for (const wrong of ['Bearer rk_wrong', 'Bearer', `Bearer ${key}x`, 'Bearer rk_%00']) {
    for (const context of [bare, request]) {
      const refused = await context.get('/threads', { headers: { authorization: wrong } })
      expect(refused.status(), wrong).toBe(401)
    }
  }
  // credentials of another kind, as a proxy may add them, are ignored
  expect((await request.get('/threads', { headers: { authorization: 'Basic eDp5' } })).status()).toBe(200)

  // given another person, who knows the id
  const other = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  const bob = await new ThreadApi(other).signIn()
  const refused = await bob.delete(`/api/keys/${id}`)
  expect(refused.status).toBe(404)
  expect(refused.text).toBe((await bob.delete('/api/keys/nothing')).text)
  expect((await script.get('/threads')).status).toBe(200)

  for (const name of ['', ' ', 'x'.repeat(101), 7]) {
    expect((await ada.post('/api/keys', { name })).status, `${name}`).toBe(400)
  }
  expect((await ada.delete(`/api/keys/${id}`)).status).toBe(204)
  expect((await ada.delete(`/api/keys/${id}`)).status).toBe(404)
  expect((await script.get('/threads')).status).toBe(401)
  expect((await script.post('/commands/create-thread', {})).status).toBe(401)
  await bare.dispose()
  await other.dispose()
})

test('a guest’s chats move to the account that signs in; the guest’s keys end, and that is said', async ({
  request,
  playwright,
  baseURL,
}) => {
  const guest = await new ThreadApi(request).signIn()
  const { thread_id } = await guest.create('From before')
  const once = { 'idempotency-key': 'before' }
  await guest.post('/commands/send-message', { thread_id, content: 'Hello' }, once)
  await guest.settled(thread_id)
  const { key } = (await guest.post('/api/keys', { name: 'script' })).body
  const bare = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  const script = new ThreadApi(bare, { authorization: `Bearer ${key}` })
  expect((await script.get('/threads')).status).toBe(200)

  const email = `${thread_id}@example.org`
  const password = 'correct horse battery staple'
  expect((await guest.post('/api/auth/sign-up/email', { email, password, name: 'Ada' })).status).toBe(200)
  // signing up alone changes nothing for the guest
  expect((await script.get('/threads')).status).toBe(200)
  const answer = await request.post('/api/auth/sign-in/email', { data: { email, password } })
  expect(answer.status()).toBe(200)
  expect((await answer.json()).guest).toMatchObject({ keys: 1, note: expect.stringContaining('1 API key') })

  expect((await guest.get('/threads')).body.threads[0].thread_id).toBe(thread_id)
  expect(await guest.messages(thread_id)).toHaveLength(2)
  expect((await script.get('/threads')).status).toBe(401)
  expect((await guest.get('/api/keys')).body.keys).toEqual([])
  await bare.dispose()
})

test('a key does what its scopes allow, makes no key that can do more, and ends when it says', async ({
  request,
  playwright,
  baseURL,
}) => {
  const ada = await new ThreadApi(request).signIn()
  const bare = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  const scriptWith = async (asked: object) => {
    const made = await ada.post('/api/keys', { name: 'script', ...asked })
    expect(made.status, made.text).toBe(201)
    return new ThreadApi(bare, { authorization: `Bearer ${made.body.key}` })
  }
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const later = new Date(Date.now() + 7_200_000).toISOString()

  const reads = await scriptWith({ scopes: ['read'] })
  expect((await reads.get('/threads')).status).toBe(200)
  for (const refused of [
    await reads.post('/commands/create-thread', {}),
    await reads.post('/api/keys', { name: 'mine' }),
    await reads.delete('/api/keys/any'),
  ]) {
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
  }
  const writes = await scriptWith({ scopes: ['write'] })
  expect((await writes.post('/commands/create-thread', {})).status).toBe(201)
  expect((await writes.get('/threads')).status).toBe(403)
  expect((await ada.get('/threads')).body.threads).toHaveLength(1)

  // given a key that ends, then what it makes ends with it, at the latest
  const passing = await scriptWith({ expires_at: soon })
  expect((await passing.post('/api/keys', { name: 'child' })).body).toMatchObject({ expires_at: soon })
  for (const more of [{ expires_at: later }, { expires_at: later, scopes: ['read'] }]) {
    expect((await passing.post('/api/keys', { name: 'child', ...more })).status).toBe(403)
  }
  expect((await writes.post('/api/keys', { name: 'child', scopes: ['read', 'write'] })).status).toBe(403)
  for (const wrong of [
    { scopes: [] },
    { scopes: ['admin'] },
    { expires_at: 'tomorrow' },
    { expires_at: '2020-01-01T00:00:00Z' },
    { name: 'a\u0000b' },
  ]) {
    expect((await ada.post('/api/keys', { name: 'script', ...wrong })).status).toBe(400)
  }
  await bare.dispose()
})

test('a revoked key, and a session that is over, end their streams within a second', async ({
  request,
  baseURL,
}) => {
  const ada = await new ThreadApi(request).signIn()
  const { thread_id, chat_id } = await ada.create('Followed')
  const { id, key } = (await ada.post('/api/keys', { name: 'follower' })).body
  const cookie = (await request.storageState()).cookies
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
  const follow = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(`${baseURL}${path}`, {
      headers: { accept: 'text/event-stream', ...headers },
    })
    expect(response.status).toBe(200)
    const reader = response.body?.getReader()
    if (!reader) throw new Error('no body')
    const ended = async () => {
      for (let chunk = await reader.read(); !chunk.done; ) chunk = await reader.read()
      return performance.now()
    }
    await reader.read()
    return ended()
  }
  const withKey = { authorization: `Bearer ${key}` }
  const byKey = [
    follow(`/api/threads/${thread_id}/events?after=0`, withKey),
    follow(`/api/live?chat=${chat_id}&since=0`, withKey),
  ]
  const bySession = follow(`/api/live?chat=${chat_id}&since=0`, { cookie })
  expect(await ada.talk(thread_id, 'Hello')).not.toBe('')

  let at = performance.now()
  expect((await ada.delete(`/api/keys/${id}`)).status).toBe(204)
  for (const end of await Promise.all(byKey)) expect(end - at).toBeLessThan(1000)
  await ada.post('/commands/send-message', { thread_id, content: 'Once more' })
  at = performance.now()
  expect((await ada.post('/api/auth/sign-out-everywhere', {})).body).toEqual({ ended: 1 })
  expect((await bySession) - at).toBeLessThan(1000)
  expect((await ada.get('/threads')).status).toBe(401)
})
