import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as send } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { chatWhole } from '@/testing/fixtures/provider-replies'
import { type ProviderAnswer, startProvider } from '@/testing/machines/provider-server'
import { tasksAfter } from '@/testing/worlds/framework'
import { chainOf, openGateway } from '@/testing/worlds/gateway-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const tasks = tasksAfter()

/** What a provider has for sure, of a call whose last bytes wait. */
const MOST = 100_000

onOneDatabase('a long call of an agent, passed on while it comes', ({ name }) => {
  let world: Awaited<ReturnType<typeof openGateway>>
  let provider: Awaited<ReturnType<typeof startProvider>>
  let answer: () => ProviderAnswer
  let early: number | undefined
  let person: Awaited<ReturnType<typeof world.person>>

  beforeAll(async () => {
    provider = await startProvider(
      () => answer(),
      () => early,
    )
    world = await openGateway(name, { OPENAI_API_KEY: 'sk-of-the-server', OPENAI_BASE_URL: provider.url })
  })
  afterAll(async () => {
    await world?.close()
    await provider?.close()
  })
  beforeEach(async () => {
    person = await world.person()
    provider.requests.length = 0
    early = undefined
    answer = () => ({ pieces: chatWhole({ text: 'Noted.' }) })
  })

  const messages = Array.from({ length: 500 }, (_, at) => ({
    ...{
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `${at} ${'of a long conversation '.repeat(10)}`,
    },
  }))
  const asked = { role: 'user', content: 'And now?' }
  const whole = JSON.stringify({ model: 'gpt-4.1', messages: [...messages, asked] })

  /** A call whose end is not sent yet. */
  const begin = (
    body: string,
    end: number,
  ): { call: ClientRequest; answered: Promise<[IncomingMessage]> } => {
    const call = send(`${world.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        authorization: `Bearer ${person.key}`,
      },
    })
    call.write(body.slice(0, -end))
    return { call, answered: once(call, 'response') as Promise<[IncomingMessage]> }
  }
  /** The provider gets more than `MOST` bytes from now on. */
  const passedOn = async (before: number) => expect.poll(() => provider.bytes - before).toBeGreaterThan(MOST)

  it('given a call that is not whole, then the provider has the most of it; when it is whole, then not a byte differs', async () => {
    const before = provider.bytes
    const { call, answered } = begin(whole, 10)
    await passedOn(before)
    expect(provider.requests).toEqual([])
    call.end(whole.slice(-10))
    const [response] = await answered
    expect(response.statusCode).toBe(200)
    expect(JSON.parse(await text(response)).choices[0].message.content).toBe('Noted.')
    expect(provider.requests.map((request) => request.text)).toEqual([whole])
    expect(provider.requests[0]?.headers).toMatchObject({ 'content-length': `${Buffer.byteLength(whole)}` })
    await Promise.all(tasks)
    const [chatId, id] = ['x-ramify-chat', 'x-ramify-message'].map((at) => String(response.headers[at]))
    const chain = await chainOf(world.services, chatId ?? '', id ?? '')
    expect([chain.length, ...chain.slice(-2)]).toEqual([502, 'user: And now?', 'assistant: Noted.'])
  })

  it.each([
    ['is no JSON at its end', whole.replace(/\]}$/, ']]]'), 400, 'invalid_json'],
    [
      'ends with a role that is none',
      JSON.stringify({ model: 'gpt-4.1', messages: [...messages, { role: 'fish', content: '' }] }),
      ...([400, 'invalid_request'] as const),
    ],
    ['names another model at its end', whole.replace(/}$/, ',"model":"gpt-99"}'), 404, 'model_not_found'],
  ])(
    'given a call that %s, then it is refused, and no provider has the whole of it',
    async (_, body, status, code) => {
      const [before, arrivals] = [provider.bytes, provider.arrivals]
      const { call, answered } = begin(body, 30)
      await passedOn(before)
      call.end(body.slice(-30))
      const [response] = await answered
      expect([response.statusCode, JSON.parse(await text(response)).error.code]).toEqual([status, code])
      expect([provider.arrivals - arrivals, provider.requests]).toEqual([1, []])
    },
  )

  it('given a call that names another model of the provider at its end, then that one is asked, once', async () => {
    const body = whole.replace(/}$/, ',"model":"openai:gpt-5.5"}')
    const before = provider.bytes
    const { call, answered } = begin(body, 40)
    await passedOn(before)
    call.end(body.slice(-40))
    const [response] = await answered
    expect(response.statusCode).toBe(200)
    expect(provider.requests.map((request) => request.body.model)).toEqual(['gpt-5.5'])
  })

  it('given a provider that does not wait for the end of a slow call, then it is asked again with the whole', async () => {
    early = 408
    const { arrivals } = provider
    const { call, answered } = begin(whole, 10)
    await expect.poll(() => provider.arrivals - arrivals).toBe(1)
    early = undefined
    // the answer that came too early is on its way
    await expect.poll(() => provider.connections()).toBe(0)
    call.end(whole.slice(-10))
    const [response] = await answered
    expect([response.statusCode, JSON.parse(await text(response)).choices[0].message.content]).toEqual([
      200,
      'Noted.',
    ])
    expect(provider.requests.map((request) => request.text === whole)).toEqual([true])
  })

  it('given an agent that leaves before its call is whole, then the call is taken back', async () => {
    const { bytes: before, taken } = provider
    const { call, answered } = begin(whole, 10)
    await passedOn(before)
    call.on('error', () => undefined)
    answered.catch(() => undefined)
    call.destroy()
    await expect.poll(() => provider.taken - taken).toBe(1)
    expect(provider.requests).toEqual([])
  })

  it('given a provider that redirects within its host, then it is asked there, with every byte', async () => {
    answer = () =>
      provider.requests.length === 1
        ? { status: 307, headers: { location: `${provider.url}/elsewhere` }, pieces: ['{}'] }
        : { pieces: chatWhole({ text: 'Here.' }) }
    const { call, answered } = begin(whole, 10)
    call.end(whole.slice(-10))
    const [response] = await answered
    expect(JSON.parse(await text(response)).choices[0].message.content).toBe('Here.')
    expect(provider.requests.map((request) => [request.path, request.text === whole])).toEqual([
      ['/v1/chat/completions', true],
      ['/v1/elsewhere', true],
    ])
  })
})
