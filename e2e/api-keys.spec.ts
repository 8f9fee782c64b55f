import { expect, test } from './support/test'
import { ThreadApi } from './support/thread-api'

// Keys of people's scripts and agents, from the first to the last use.

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
    { id, name: 'nightly', hint: key.slice(0, 8), created_at: expect.any(String), last_used_at: null },
  ])

  // given a script without a cookie, run by a page of another site for all we know
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

  // a wrong key is nobody's, also beside a cookie that is somebody's
  for (const wrong of ['Bearer rk_wrong', 'Bearer', `Bearer ${key}x`, 'Bearer rk_%00']) {
    for (const context of [bare, request]) {
      const refused = await context.get('/threads', { headers: { authorization: wrong } })
      expect(refused.status(), wrong).toBe(401)
    }
  }
  // and credentials of another kind, as a proxy may add them, are not ours to judge
  expect((await request.get('/threads', { headers: { authorization: 'Basic eDp5' } })).status()).toBe(200)

  // given somebody else, who knows the id
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

test('a guest’s key is still theirs when they get an account', async ({ request, playwright, baseURL }) => {
  const guest = await new ThreadApi(request).signIn()
  const { thread_id } = await guest.create('From before')
  const once = { 'idempotency-key': 'before' }
  const sent = await guest.post('/commands/send-message', { thread_id, content: 'Hello' }, once)
  await guest.settled(thread_id)
  const { key } = (await guest.post('/api/keys', { name: 'script' })).body

  const email = `${thread_id}@example.org`
  const password = 'correct horse battery staple'
  expect((await guest.post('/api/auth/sign-up/email', { email, password, name: 'Ada' })).status).toBe(200)

  const bare = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  const script = new ThreadApi(bare, { authorization: `Bearer ${key}` })
  expect((await script.get('/threads')).body.threads[0].thread_id).toBe(thread_id)
  // the same command under the same key is still the same command
  expect((await script.post('/commands/send-message', { thread_id, content: 'Hello' }, once)).text).toBe(
    sent.text,
  )
  expect(await script.messages(thread_id)).toHaveLength(2)
  expect((await guest.get('/api/keys')).body.keys).toHaveLength(1)
  await bare.dispose()
})
