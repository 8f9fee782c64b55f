import { request as send } from 'node:http'
import { text as readAll } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { beforeEach, expect, it, vi } from 'vitest'
import {
  chatStream,
  chatWhole,
  type GivenReply,
  messagesStream,
  responsesStream,
} from '@/testing/fixtures/provider-replies'
import { tasksAfter } from '@/testing/worlds/framework'
import { chainOf, useGateway } from '@/testing/worlds/gateway-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const tasks = tasksAfter()

const chat = (text: string, more: object = {}) => ({
  model: 'gpt-4.1',
  messages: [{ role: 'user', content: text }],
  ...more,
})

onOneDatabase('the gateway when things go wrong', ({ name }) => {
  const gateway = useGateway(name, {
    env: () => ({
      OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1',
      OPENAI_COMPATIBLE_MODELS: 'away,openai/gpt-oss-20b',
      GROQ_API_KEY: 'gsk-of-the-server',
    }),
  })
  const { given, post } = gateway
  /** The status of an answer, and its JSON. */
  const told = async (response: Response) => [response.status, await response.json()]
  const whole = (text: string) => {
    given.answer = () => ({ pieces: chatWhole({ text }) })
  }
  beforeEach(() => {
    given.answer = () => ({ pieces: chatStream({ text: 'Noted.' }) })
  })
  const placeOf = ({ headers }: Response) => {
    const [chatId = '', id = ''] = ['chat', 'message'].map((of) => headers.get(`x-ramify-${of}`) ?? '')
    return [chatId, id] as const
  }
  const chainAt = async (response: Response) => {
    await Promise.all(tasks)
    return chainOf(gateway.world.services, ...placeOf(response))
  }
  const chatsOf = async (id: string) => {
    const { database } = gateway.world.services
    return (await database.query('select 1 from chats where user_id = $1', [id])).length
  }

  const ofOpenAI = { authorization: 'Bearer sk-of-the-server-openai' }
  const ofAnthropic = { 'x-api-key': 'sk-of-the-server-anthropic', 'anthropic-version': expect.any(String) }
  const toClaude = chat('Hello', { stream: true, max_tokens: 9, model: 'claude-sonnet-5-5-20260901' })
  it.each<[string, object, (reply: GivenReply) => string[], object]>([
    ['chat/completions', chat('Hello', { stream: true }), chatStream, ofOpenAI],
    ['responses', { model: 'gpt-4.1', input: 'Hello', stream: true }, responsesStream, ofOpenAI],
    ['messages', toClaude, messagesStream, ofAnthropic],
  ])(
    'given %s, when the provider streams with odd spacing, then not a byte differs, and its key is the server’s',
    async (path, body, stream, headers) => {
      const said = stream({
        thinking: 'Hm.',
        text: 'Olá — 你好 🐟!',
        calls: [{ id: 'c1', name: 'look', input: { at: '🐟' } }],
      })
      const bytes = Buffer.from(`: a comment\r\n\r\n${said.join('').replaceAll('data: ', 'data:')}`)
      // cut within characters
      const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) =>
        bytes.subarray(at * 7, at * 7 + 7),
      )
      const secrets = { 'set-cookie': 'a=b', 'openai-organization': 'secret' }
      given.answer = () => ({
        headers: { 'content-type': 'text/event-stream', 'x-request-id': 'req_1', ...secrets },
        pieces,
      })
      const response = await post(path, body)
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
      expect(response.headers.get('x-request-id')).toBe('req_1')
      for (const secret of Object.keys(secrets)) expect(response.headers.get(secret), secret).toBeNull()
      expect(await chainAt(response)).toEqual([
        'user: Hello',
        'assistant: (Hm.) Olá — 你好 🐟! look({"at":"🐟"})',
      ])
      const model = path === 'messages' ? 'claude-sonnet-5-5-20260901' : 'gpt-4.1'
      expect(gateway.provider.requests).toMatchObject([{ body: { model }, headers }])
      expect(JSON.stringify(gateway.provider.requests)).not.toContain(gateway.person.key)
    },
  )

  it('given a request with values that we do not read, then they reach the provider as they were written', async () => {
    whole('Yes.')
    const body =
      '{ "seed": 12345678901234567890, "model" : "openai:gpt-4.1", "messages":[{"role":"user","content":"\\u00e9"}], "metadata":{"model":"keep"} }'
    await (await post('chat/completions', body)).text()
    expect(gateway.provider.requests[0]?.text).toBe(body.replace('openai:gpt-4.1', 'gpt-4.1'))
  })

  it.each([
    [429, '{"error":{"message":"Slow down","type":"tokens","param":null,"code":"rate_limit_exceeded"}}'],
    [500, '{"detail":"Bad gateway"}'],
  ])(
    'given a provider that answers with %i, then status and body pass, and the question stays open',
    async (status, said) => {
      given.answer = () => ({
        status,
        headers: { 'content-type': 'application/problem+json; charset=utf-8', 'retry-after': '7' },
        pieces: [said],
      })
      const refused = await post('chat/completions', chat('Are you there?'))
      expect([refused.status, await refused.text()]).toEqual([status, said])
      expect(refused.headers.get('retry-after')).toBe('7')
      await Promise.all(tasks)
      whole('Here.')
      const again = await post('chat/completions', chat('Are you there?'))
      await again.text()
      expect(await chainAt(again)).toEqual(['user: Are you there?', 'assistant: Here.'])
      expect(await chatsOf(gateway.person.id)).toBe(1)
    },
  )

  it.each([
    [200, 'text/html; charset=utf-8', 'chat/completions'],
    [529, 'text/html', 'messages'],
    [500, 'application/jsonp', 'responses'],
    [200, 'image/svg+xml', 'chat/completions'],
    [404, 'text/html;x=application/json', 'chat/completions'],
    [200, 'text/html', 'messages/count_tokens'],
  ])(
    'given a provider that answers with %i and %s to %s, then nothing of it reaches the agent, and the words say what came',
    async (status, type, path) => {
      given.answer = () => ({
        status,
        headers: { 'content-type': type },
        pieces: ['<script>alert(1)</script>'],
      })
      const hello = [{ role: 'user', content: 'Hi' }]
      const body =
        path === 'responses'
          ? { model: 'gpt-4.1', input: 'Hi' }
          : path.startsWith('messages')
            ? { model: 'claude-sonnet-5-5', max_tokens: 9, messages: hello }
            : { model: 'gpt-4.1', messages: hello }
      const response = await post(path, body)
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      const answer = await told(response)
      expect(JSON.stringify(answer)).not.toContain('script')
      // a count that the provider does not give is made here
      if (path.endsWith('count_tokens')) return expect(answer).toMatchObject([200, {}])
      expect(answer).toMatchObject([502, { error: { message: expect.stringContaining(type) } }])
    },
  )

  it('given the headers of a client, then the provider is sent those and no other, and reads the answer in the codings that the client takes', async () => {
    const said = chatWhole({ text: 'Yes.' })
    given.answer = () => ({
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      pieces: [gzipSync(said.join(''))],
    })
    const ofWay = ['host', 'connection', 'content-length', 'authorization']
    const own = { 'content-type': 'application/json', accept: 'application/json', 'x-app': 'cli' }
    for (const more of [
      {},
      { 'accept-encoding': 'gzip, br', 'accept-language': '*', 'sec-fetch-mode': 'cors' },
    ]) {
      const sent = { ...own, ...more }
      const text = await new Promise<string>((resolve, reject) => {
        const headers = { ...sent, authorization: `Bearer ${gateway.person.key}` }
        send(`${gateway.world.url}/v1/chat/completions`, { method: 'POST', headers })
          .once('error', reject)
          .once('response', (response) => readAll(response).then(resolve, reject))
          .end(JSON.stringify(chat('Hello')))
      })
      expect(text).toBe(said.join(''))
      const { headers = {} } = gateway.provider.requests.at(-1) ?? {}
      expect(Object.fromEntries(Object.entries(headers).filter(([name]) => !ofWay.includes(name)))).toEqual(
        sent,
      )
    }
  })

  it('given a query, then only what the API of a provider defines reaches it', async () => {
    whole('Yes.')
    await (await post('messages?api-key=x&beta=true&a=%26b%3D', toClaude)).text()
    await (await post('chat/completions?beta=true&x=1', chat('Hi again'))).text()
    expect(gateway.provider.requests.map(({ path }) => path)).toEqual([
      '/v1/messages?beta=true',
      '/v1/chat/completions',
    ])
  })

  it('given a database that is slow to write, then the answer comes first, its place with it, and both are stored', async () => {
    const { store } = gateway.world.services.ports
    const commit = store.commit.bind(store)
    const written = Promise.withResolvers<void>()
    const spy = vi.spyOn(store, 'commit').mockImplementation(async (change) => {
      await written.promise
      return commit(change)
    })
    const response = await post('chat/completions', chat('Slowly', { stream: true }))
    expect(await response.text()).toContain('Noted.')
    expect(await chatsOf(gateway.person.id)).toBe(0)
    written.resolve()
    expect(await chainAt(response)).toEqual(['user: Slowly', 'assistant: Noted.'])
    spy.mockRestore()
  })

  it('given a client that leaves in the middle, then the reply is read to its end and stored', async () => {
    const gone = Promise.withResolvers<void>()
    const pieces = chatStream({ text: 'one two three four five' })
    given.answer = () => ({ pieces, before: (index) => (index === 3 ? gone.promise : undefined) })
    const leaving = new AbortController()
    const response = await post('chat/completions', chat('Count', { stream: true }), {}, leaving.signal)
    await response.body?.getReader().read()
    const left = gateway.world.departure()
    leaving.abort()
    await left
    gone.resolve()
    expect(await chainAt(response)).toEqual(['user: Count', 'assistant: one two three four five'])
  })

  it('given an answer that breaks off, then what came is passed on and stored as unfinished', async () => {
    given.answer = () => ({ pieces: chatStream({ text: 'one two three' }).slice(0, 3), cut: true })
    const cut = await post('chat/completions', chat('Count to three', { stream: true }))
    await cut.text().catch(() => undefined)
    expect(await chainAt(cut)).toEqual(['user: Count to three', 'assistant: one two'])
    const [reply] = (await gateway.world.services.store.getMessageChain(...placeOf(cut))).slice(-1)
    expect(reply?.data).toMatchObject({ metadata: { status: 'failed' } })

    given.answer = () => ({
      pieces: [
        'data: {"id":"x","choices":[{"index":0,"delta":{"content":"A"}}]}\n\n',
        'data: {broken\n\n',
        'data: [DONE]\n\n',
      ],
    })
    const broken = await post('chat/completions', chat('Say A', { stream: true }))
    expect(await broken.text()).toContain('{broken')
    expect(await chainAt(broken)).toEqual(['user: Say A', 'assistant: A'])
  })

  it('given a key that is missing, wrong, or may only read, then it is refused in the words of the protocol', async () => {
    const reader = await gateway.world.person(['read'])
    const refused = await post('chat/completions', chat('Hi'), { authorization: `Bearer ${reader.key}` })
    const error = { message: 'This API key may only read.', type: 'permission_error', param: null }
    expect(await told(refused)).toEqual([403, { error: { ...error, code: 'insufficient_scope' } }])
    const messages = { ...chat('Hi', { max_tokens: 9 }), model: 'anthropic:claude-opus-5-5' }
    const wrong = await post('messages', messages, { authorization: '', 'x-api-key': 'rk_wrong' })
    const unknown = { type: 'error', error: { type: 'authentication_error' } }
    expect(await told(wrong)).toMatchObject([401, unknown])
    const session = { authorization: '', cookie: 'a=b', origin: 'https://evil.test' }
    const cookie = await post('responses', { model: 'gpt-4.1', input: 'Hi' }, session)
    expect(await told(cookie)).toMatchObject([401, { error: { code: 'invalid_api_key' } }])
    expect(gateway.provider.requests).toEqual([])
    const models = await fetch(`${gateway.world.url}/v1/models`, { headers: { 'x-api-key': reader.key } })
    expect(models.status).toBe(200)
  })

  it('given a model that is not known, or that several providers have, then the answer is 404 and says so', async () => {
    const unknown = await post('chat/completions', { ...chat('Hi'), model: 'gpt-99' })
    expect(await told(unknown)).toMatchObject([404, { error: { code: 'model_not_found', param: 'model' } }])
    const several = await post('messages', { ...chat('Hi', { max_tokens: 9 }), model: 'openai/gpt-oss-20b' })
    const both = 'groq:openai/gpt-oss-20b, openai-compatible:openai/gpt-oss-20b'
    const error = { type: 'not_found_error', message: expect.stringContaining(both) }
    expect(await told(several)).toMatchObject([404, { error }])
  })

  it('given a provider that is away, then the answer is 502 and the question is stored', async () => {
    const response = await post('chat/completions', { ...chat('Anyone?'), model: 'away' })
    const error = { code: 'provider_unreachable', type: 'server_error' }
    expect(await told(response)).toMatchObject([502, { error }])
    await Promise.all(tasks)
    expect(await chatsOf(gateway.person.id)).toBe(1)
  })

  const earlier = { model: 'demo:demo', input: 'a', previous_response_id: 'resp_1' }
  it.each([
    ['no JSON', 'chat/completions', '{', 'invalid_json'],
    ['no messages', 'chat/completions', chat('', { messages: [] }), 'invalid_request'],
    ['an empty input', 'responses', { model: 'gpt-4.1', input: [] }, 'invalid_request'],
    ['an earlier response of a provider that keeps none', 'responses', earlier, 'invalid_request'],
  ])('given %s, then the answer is 400 in the form of the protocol', async (_, path, body, code) => {
    const error = { code, type: 'invalid_request_error' }
    expect(await told(await post(path, body))).toMatchObject([400, { error }])
  })

  it.each([
    [429, { 'content-type': 'text/html', 'retry-after': '7' }, '<title>Slow down</title>', 429, '7'],
    [429, { 'content-type': 'text/plain' }, 'Please try again in 12s', 429, '12'],
    [503, { 'content-type': 'text/html', 'retry-after': '9' }, '<h1>Busy</h1>', 503, '9'],
    [500, { 'content-type': 'text/html' }, '<title>Oops</title>', 502, null],
  ])(
    'given a provider that answers %d with a page, then its status, its words and its time reach the agent',
    async (status, headers, body, shown, after) => {
      given.answer = () => ({ status, headers, pieces: [body] })
      const response = await post('chat/completions', chat('Hello', { stream: true }))
      expect([response.status, response.headers.get('retry-after')]).toEqual([shown, after])
      const { error } = await response.json()
      expect(error.message).toContain(body.replaceAll(/<.*?>/g, ''))
    },
  )

  it.each(['text/plain', 'text/html; charset=utf-8', ''])(
    'given events of the type "%s", then they are passed on as events',
    async (type) => {
      const pieces = chatStream({ text: 'Noted.' })
      given.answer = () => ({ headers: { 'content-type': type }, pieces })
      const response = await post('chat/completions', chat('Hello', { stream: true }))
      expect(response.headers.get('content-type')).toBe('text/event-stream')
      expect(await response.text()).toBe(pieces.join(''))
      expect(await chainAt(response)).toEqual(['user: Hello', 'assistant: Noted.'])
    },
  )

  it.each<[string, object, (reply: GivenReply) => string[]]>([
    ['chat/completions', chat('Hello', { stream: true }), chatStream],
    ['responses', { model: 'gpt-4.1', input: 'Hello', stream: true }, responsesStream],
    ['messages', toClaude, messagesStream],
  ])(
    'given %s, when the provider keeps its connection open after its last word, then the answer ends and is stored',
    async (path, body, stream) => {
      const pieces = stream({ text: 'Noted.' })
      const never = new Promise<void>(() => undefined)
      given.answer = () => ({
        pieces: [...pieces, ': still here\n\n'],
        before: (index) => (index === pieces.length ? never : undefined),
      })
      const response = await post(path, body)
      expect(await response.text()).toBe(pieces.join(''))
      expect(await chainAt(response)).toEqual(['user: Hello', 'assistant: Noted.'])
    },
  )

  it('given messages out of order and without content, then they are passed on and stored', async () => {
    whole('Well.')
    const messages = [
      { role: 'tool', tool_call_id: 'none', content: 'early' },
      { role: 'assistant', content: null },
      { role: 'user', content: '' },
      { role: 'user', content: 'NUL \0 and half \ud800 a pair' },
    ]
    const response = await post('chat/completions', { model: 'gpt-4.1', messages })
    expect(response.status).toBe(200)
    await response.text()
    expect((await chainAt(response)).at(-1)).toBe('assistant: Well.')
  })

  it('given four megabytes of tools, then they are taken, and fifty are refused', async () => {
    whole('Many tools.')
    const tool = (at: number) => ({
      type: 'function',
      function: { name: `tool_${at}`, description: 'x'.repeat(9_900), parameters: {} },
    })
    const tools = Array.from({ length: 400 }, (_, at) => tool(at))
    // made before the first call: it takes longer than a connection that is not used stays open
    const fifty = JSON.stringify(chat('x'.repeat(50_000_000)))
    const response = await post('chat/completions', chat('Which?', { tools }))
    const answer = { choices: [{ message: { content: 'Many tools.' } }] }
    expect(await told(response)).toMatchObject([200, answer])
    expect(gateway.provider.requests[0]?.body.tools).toHaveLength(400)
    const huge = await post('chat/completions', fifty)
    expect(await told(huge)).toMatchObject([413, { error: { code: 'too_large' } }])
  })

  it('given two people who say the same, then each has a chat of their own, and neither can name the place of the other', async () => {
    whole('Same.')
    const first = await post('chat/completions', chat('The same words'))
    const other = await gateway.world.person()
    const bearer = { authorization: `Bearer ${other.key}` }
    const second = await post('chat/completions', chat('The same words'), bearer)
    const [place] = placeOf(first)
    expect(place).not.toBe(placeOf(second)[0])
    await Promise.all(tasks)
    const asked = gateway.provider.arrivals
    const enter = (to: string) =>
      post('chat/completions', chat('Let me in'), { ...bearer, 'x-ramify-chat': to })
    const [foreign, missing] = [await enter(place), await enter('none')]
    expect([foreign.status, await foreign.text()]).toEqual([404, await missing.text()])
    expect(gateway.provider.arrivals).toBe(asked)
  })

  it('given a pin, then the call goes on where it says', async () => {
    whole('First.')
    const first = await post('chat/completions', chat('Begin'))
    await first.text()
    await Promise.all(tasks)
    whole('Second.')
    const [chatId, message] = placeOf(first)
    const pins = { 'x-ramify-chat': chatId, 'x-ramify-message': message }
    const second = await post('chat/completions', chat('Go on'), pins)
    await second.text()
    expect(await chainAt(second)).toEqual([
      ...['user: Begin', 'assistant: First.', 'user: Go on', 'assistant: Second.'],
    ])
  })

  it('given both kinds of clients, when they list models, then each reads its own form', async () => {
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const authorization = `Bearer ${gateway.person.key}`
      return told(await fetch(`${gateway.world.url}/v1/${path}`, { headers: { authorization, ...headers } }))
    }
    const anthropic = { 'anthropic-version': '2023-06-01' }
    const [, list] = await get('models')
    const listed = { id: 'openai:gpt-4.1', object: 'model', created: 0, owned_by: 'openai' }
    expect(list.data).toContainEqual(listed)
    const [, page] = await get('models', anthropic)
    expect(page).toMatchObject({ has_more: false, first_id: list.data[0].id, last_id: 'demo:demo' })
    expect(await get('models/gpt-4.1')).toMatchObject([200, { id: 'openai:gpt-4.1' }])
    const none = { type: 'error', error: { type: 'not_found_error' } }
    expect(await get('models/none', anthropic)).toMatchObject([404, none])
  })
})
