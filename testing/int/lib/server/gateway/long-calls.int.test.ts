import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeEach, expect, it } from 'vitest'
import { chatWhole } from '@/testing/fixtures/provider-replies'
import { tasksAfter } from '@/testing/worlds/framework'
import { chainOf, useGateway } from '@/testing/worlds/gateway-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const tasks = tasksAfter()

/** What a provider has for sure, of a call whose last bytes wait. */
const MOST = 100_000

onOneDatabase('a long call of an agent, passed on while it comes', ({ name }) => {
  let early: number | undefined
  const gateway = useGateway(name, { early: () => early })
  const { given } = gateway
  beforeEach(() => {
    early = undefined
    given.answer = () => ({ pieces: chatWhole({ text: 'Noted.' }) })
  })

  const messages = Array.from({ length: 500 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: `${at} ${'of a long conversation '.repeat(10)}`,
  }))
  const asked = { role: 'user', content: 'And now?' }
  const whole = JSON.stringify({ model: 'gpt-4.1', messages: [...messages, asked] })

  /** A call whose end is not sent yet. */
  const begin = (body = whole, end = 10) => {
    const call = send(`${gateway.world.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        authorization: `Bearer ${gateway.person.key}`,
      },
    })
    const { bytes } = gateway.provider
    call.write(body.slice(0, -end))
    const answered = once(call, 'response') as Promise<[IncomingMessage]>
    return {
      call,
      answered,
      /** the provider has more than `MOST` bytes of it */
      passedOn: () => expect.poll(() => gateway.provider.bytes - bytes).toBeGreaterThan(MOST),
      /** sends the end, and reads the answer */
      async finish() {
        call.end(body.slice(-end))
        const [response] = await answered
        const { statusCode: status, headers } = response
        return { status, headers, body: JSON.parse(await text(response)) }
      },
    }
  }
  const saidIn = ({ body }: { body: { choices: { message: { content: string } }[] } }) =>
    body.choices[0]?.message.content

  it('given a call that is not whole, then the provider has the most of it; when it is whole, then not a byte differs', async () => {
    const { passedOn, finish } = begin()
    await passedOn()
    expect(gateway.provider.requests).toEqual([])
    const answer = await finish()
    expect([answer.status, saidIn(answer)]).toEqual([200, 'Noted.'])
    const headers = { 'content-length': `${Buffer.byteLength(whole)}` }
    expect(gateway.provider.requests).toMatchObject([{ text: whole, headers }])
    await Promise.all(tasks)
    const [chatId = '', id = ''] = ['chat', 'message'].map((of) => String(answer.headers[`x-ramify-${of}`]))
    const chain = await chainOf(gateway.world.services, chatId, id)
    expect([chain.length, ...chain.slice(-2)]).toEqual([502, 'user: And now?', 'assistant: Noted.'])
  })

  it.each([
    ['is no JSON at its end', whole.replace(/\]}$/, ']]]'), 400, 'invalid_json'],
    ['names another model at its end', whole.replace(/}$/, ',"model":"gpt-99"}'), 404, 'model_not_found'],
  ])(
    'given a call that %s, then it is refused, and no provider has the whole of it',
    async (_, body, status, code) => {
      const { arrivals } = gateway.provider
      const { passedOn, finish } = begin(body, 30)
      await passedOn()
      expect(await finish()).toMatchObject({ status, body: { error: { code } } })
      expect([gateway.provider.arrivals - arrivals, gateway.provider.requests]).toEqual([1, []])
    },
  )

  it('given a call that names another model of the provider at its end, then that one is asked, once', async () => {
    const body = whole.replace(/}$/, ',"model":"openai:gpt-5.5"}')
    const { passedOn, finish } = begin(body, 40)
    await passedOn()
    expect((await finish()).status).toBe(200)
    expect(gateway.provider.requests.map((request) => request.body.model)).toEqual(['gpt-5.5'])
  })

  it('given a provider that does not wait for the end of a slow call, then it is asked again with the whole', async () => {
    early = 408
    const { arrivals } = gateway.provider
    const { finish } = begin()
    await expect.poll(() => gateway.provider.arrivals - arrivals).toBe(1)
    early = undefined
    // the answer that came too early is on its way
    await expect.poll(() => gateway.provider.connections()).toBe(0)
    const answer = await finish()
    expect([answer.status, saidIn(answer)]).toEqual([200, 'Noted.'])
    expect(gateway.provider.requests.map((request) => request.text === whole)).toEqual([true])
  })

  it('given an agent that leaves before its call is whole, then the call is taken back', async () => {
    const { taken } = gateway.provider
    const { call, answered, passedOn } = begin()
    await passedOn()
    call.on('error', () => undefined)
    answered.catch(() => undefined)
    call.destroy()
    await expect.poll(() => gateway.provider.taken - taken).toBe(1)
    expect(gateway.provider.requests).toEqual([])
  })

  it('given a provider that redirects within its host, then it is asked there, with every byte', async () => {
    given.answer = () =>
      gateway.provider.requests.length === 1
        ? { status: 307, headers: { location: `${gateway.provider.url}/elsewhere` }, pieces: ['{}'] }
        : { pieces: chatWhole({ text: 'Here.' }) }
    expect(saidIn(await begin().finish())).toBe('Here.')
    expect(gateway.provider.requests.map((request) => [request.path, request.text === whole])).toEqual([
      ['/v1/chat/completions', true],
      ['/v1/elsewhere', true],
    ])
  })
})
