import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { chatWhole, messagesWhole } from '@/testing/fixtures/provider-replies'
import { tasksAfter } from '@/testing/worlds/framework'
import { useGateway } from '@/testing/worlds/gateway-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const tasks = tasksAfter()
const json = (body: object) => ({
  headers: { 'content-type': 'application/json' },
  pieces: [JSON.stringify(body)],
})

onOneDatabase('a client with a credential of its own, on a server whose keys are shared', ({ name }) => {
  const gateway = useGateway(name)
  const { given, post } = gateway
  const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: BodyInit) =>
    fetch(`${gateway.world.url}/v1/${path}`, {
      method,
      headers: { 'x-ramify-key': gateway.person.key, authorization: 'Bearer sk-of-ada', ...headers },
      ...(body !== undefined && { body }),
    })
  const stored = async () => {
    const { database } = gateway.world.services
    return (await database.query('select 1 from chats where user_id = $1', [gateway.person.id])).length
  }

  it('its headers go to the provider as they are, in place of the stored key, and none of Ramify’s does', async () => {
    given.answer = () => ({ pieces: messagesWhole({ text: 'Hi.' }) })
    const own = {
      authorization: 'Bearer sk-ant-oat01-of-ada',
      'anthropic-beta': 'oauth-2025-04-20,claude-code-20250219',
      'anthropic-version': '2023-06-01',
      'user-agent': 'claude-cli/2.1.197 (external, cli)',
      'x-app': 'cli',
      'x-claude-code-session-id': 'a-session',
      'x-stainless-lang': 'js',
      'x-of-tomorrow': 'yes',
    }
    const body = { model: 'claude-opus-4-8', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] }
    const response = await post('messages?beta=true', body, {
      ...own,
      'x-ramify-key': gateway.person.key,
      cookie: 'a=b',
      'x-forwarded-for': '10.0.0.1',
    })
    expect(response.status).toBe(200)
    await response.text()
    await Promise.all(tasks)
    const [asked] = gateway.provider.requests
    expect(asked).toMatchObject({ path: '/v1/messages?beta=true', headers: own, text: JSON.stringify(body) })
    const names = Object.keys(asked?.headers ?? {})
    expect(names.filter((each) => /ramify|cookie|forwarded|x-api-key/.test(each))).toEqual([])
    expect(await stored()).toBe(1)
    const { database } = gateway.world.services
    const rows = await database.query(
      'select to_jsonb(m)::text as row from messages m, chats c where c.id = m.chat_id and c.user_id = $1',
      [gateway.person.id],
    )
    expect(JSON.stringify(rows)).not.toContain('of-ada')
  })

  it('the refusal of an expired token is the provider’s own', async () => {
    const refusal =
      '{"type":"error","error":{"type":"authentication_error","message":"OAuth token has expired"}}'
    given.answer = () => ({ status: 401, headers: { 'x-should-retry': 'false' }, pieces: [refusal] })
    const body = { model: 'opus', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] }
    const response = await post('messages', body, {
      'x-ramify-key': gateway.person.key,
      authorization: 'Bearer expired-one',
    })
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([401, 'false'])
    expect(await response.text()).toBe(refusal)
  })

  it('a wrong key of Ramify is refused, and a key of Ramify never goes to a provider', async () => {
    const call = { model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hello' }] }
    expect((await post('chat/completions', call, { 'x-ramify-key': 'rk_wrong' })).status).toBe(401)
    given.answer = () => ({ pieces: chatWhole({ text: 'Hi.' }) })
    const twice = await post('chat/completions', call, { 'x-ramify-key': gateway.person.key })
    expect(twice.status).toBe(200)
    expect(gateway.provider.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer sk-of-the-server-openai',
    ])
  })

  it.each([
    ['POST', 'embeddings', 'application/json', '{"model": "text-embedding-3-small", "input": "Hello"}'],
    ['POST', 'moderations', 'application/json', '{"input":"Hello"}'],
    ['POST', 'audio/transcriptions', 'multipart/form-data; boundary=b', '--b\r\n\r\nbytes\r\n--b--'],
    ['GET', 'files?limit=2', undefined, undefined],
    ['GET', 'responses/resp_1', undefined, undefined],
    ['POST', 'responses/resp_1/cancel', undefined, ''],
    ['DELETE', 'responses/resp_1', undefined, undefined],
    ['POST', 'responses/input_tokens', 'application/json', '{"model":"gpt-6.2-sol","input":"Hello"}'],
    ['POST', 'messages/batches', 'application/json', '{"requests":[]}'],
  ])('%s %s passes through as it came, and nothing is stored', async (method, path, type, body) => {
    given.answer = () => json({ from: 'the provider' })
    const response = await ask(method, path, type === undefined ? {} : { 'content-type': type }, body)
    expect([response.status, await response.json()]).toEqual([200, { from: 'the provider' }])
    expect(gateway.provider.requests).toMatchObject([
      { method, path: `/v1/${path}`, text: body ?? '', headers: { authorization: 'Bearer sk-of-ada' } },
    ])
    expect(await stored()).toBe(0)
  })

  it('bytes of any type pass, but no browser shows them as a page', async () => {
    const headers = { 'content-type': 'text/html', 'set-cookie': 'a=b', location: 'https://evil.test' }
    given.answer = () => ({ headers, pieces: ['<script>'] })
    const response = await ask('GET', 'files/file-1/content')
    expect(await response.text()).toBe('<script>')
    expect(response.headers.get('content-disposition')).toBe('attachment')
    expect(response.headers.get('content-security-policy')).toBe('sandbox')
    expect([response.headers.get('set-cookie'), response.headers.get('location')]).toEqual([null, null])
  })

  it('on a shared key it is refused, with what to do', async () => {
    const response = await post('embeddings', { model: 'gpt-4.1', input: 'Hello' })
    expect([response.status, (await response.json()).error.message]).toEqual([
      400,
      expect.stringContaining('a key of your own'),
    ])
    expect(gateway.provider.requests).toEqual([])
  })

  it.each([
    ['v1/messages', {}, { type: 'error', error: { type: 'not_found_error' } }],
    ['v1/chat/completions', {}, { error: { code: 'not_found' } }],
    ['nothing', { 'anthropic-version': '2023-06-01' }, { type: 'error' }],
    ['nothing', {}, { error: { type: 'invalid_request_error' } }],
  ])('POST /v1/%s is refused in the protocol, with the base URL to set', async (path, headers, shape) => {
    const response = await post(path, {}, headers)
    const body = await response.json()
    expect([response.status, body]).toMatchObject([404, shape])
    expect(body.error.message).toContain(`Set the base URL to ${gateway.world.url}/v1`)
    expect(gateway.provider.requests).toEqual([])
  })
})

onOneDatabase('compressed calls', ({ name }) => {
  const gateway = useGateway(name)
  const call = JSON.stringify({
    model: 'gpt-4.1',
    messages: [{ role: 'user', content: 'Hello '.repeat(20_000) }],
  })
  const send = (coding: string, body: Buffer) =>
    fetch(`${gateway.world.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.person.key}`,
        'content-type': 'application/json',
        'content-encoding': coding,
      },
      body: new Uint8Array(body),
    })

  it.each([
    ['gzip', gzipSync(call)],
    ['br', brotliCompressSync(call)],
    ['zstd', zstdCompressSync(call)],
  ])('a body in %s is read, and goes on plain', async (coding, body) => {
    gateway.given.answer = () => ({ pieces: chatWhole({ text: 'Hi.' }) })
    const response = await send(coding, body)
    expect([response.status, await response.text()]).toEqual([200, chatWhole({ text: 'Hi.' }).join('')])
    expect(gateway.provider.requests.map(({ text }) => text)).toEqual([call])
    expect(gateway.provider.requests[0]?.headers['content-encoding']).toBeUndefined()
  })

  it.each([
    ['of another coding', 'compress', Buffer.from(call), 415],
    ['that is not in its coding', 'gzip', Buffer.from(call), 400],
    ['that is cut', 'gzip', gzipSync(call).subarray(0, 100), 400],
    ['that grows beyond the limit', 'gzip', gzipSync(Buffer.alloc(60_000_000, ' ')), 413],
  ])('a body %s is refused in the protocol', async (_, coding, body, status) => {
    const response = await send(coding, body)
    expect([response.status, await response.json()]).toMatchObject([status, { error: {} }])
    expect(gateway.provider.requests).toEqual([])
  })
})
