import { expect, it } from 'vitest'
import { chatStream, responsesWhole, took } from '@/testing/fixtures/provider-replies'
import { tasksAfter } from '@/testing/worlds/framework'
import { useGateway } from '@/testing/worlds/gateway-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const tasks = tasksAfter()

onOneDatabase('quotas at the gateway', ({ name }) => {
  const gateway = useGateway(name, {
    env: (provider) => ({
      OPENAI_COMPATIBLE_BASE_URL: provider,
      OPENAI_COMPATIBLE_MODELS: 'm',
      RAMIFY_QUOTA_CALLS: '3',
      RAMIFY_QUOTA_TOKENS: '300',
    }),
  })
  const ask = async (content: string, more: object = {}) => {
    const asked = { model: 'm', stream: true, messages: [{ role: 'user', content }], ...more }
    const response = await gateway.post('chat/completions', asked)
    const text = await response.text()
    await Promise.all(tasks)
    return { response, text }
  }

  const spent = async () => {
    const { database } = gateway.world.services
    const rows = await database.query<{ tokens: number }>(
      'select tokens::int from quota_person where user_id = $1',
      [gateway.person.id],
    )
    return rows[0]?.tokens
  }

  it('given replies that do not say what they took, when the tokens of the day are used up, then the provider is asked no more', async () => {
    const pieces = chatStream({ text: 'word '.repeat(45) }).filter((piece) => !piece.includes('"usage"'))
    gateway.given.answer = () => ({ pieces })
    const before = gateway.provider.arrivals
    const told = [await ask('one'), await ask('two'), await ask('three')]
    expect(told.map(({ response }) => response.status)).toEqual([200, 200, 429])
    const [, , refused] = told
    expect(JSON.parse(refused?.text ?? '')).toMatchObject({
      error: { code: 'quota_exceeded', type: 'rate_limit_error', message: expect.stringContaining('tokens') },
    })
    expect(Number(refused?.response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(gateway.provider.arrivals - before).toBe(2)
  })

  const chunks = chatStream({ text: 'hello there' })
  const unasked = chunks.filter((piece) => !piece.includes('"usage"')).join('')
  it.each([
    { asks: 'nothing', sent: {}, shown: unasked },
    { asks: 'no usage', sent: { stream_options: { include_usage: false } }, shown: unasked },
    { asks: 'the usage', sent: { stream_options: { include_usage: true } }, shown: chunks.join('') },
  ])(
    'given an agent that asks for $asks, then the provider is asked what its stream took, and the agent sees what it asked for',
    async ({ sent, shown }) => {
      const bytes = Buffer.from(chunks.join(''))
      gateway.given.answer = () => ({
        pieces: [bytes.toString('utf8', 0, 700), bytes.toString('utf8', 700)],
      })
      const { text } = await ask('hello', sent)
      expect(text).toBe(shown)
      const [asked] = gateway.provider.requests
      expect(JSON.parse(asked?.text ?? '').stream_options).toEqual({ include_usage: true })
      expect(await spent()).toBe(took.input + took.output)
    },
  )

  it.each([
    [422, { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] }],
    [400, { error: { message: 'property "stream_options" is unsupported' } }],
  ])(
    'given a provider that refuses with %d to be asked what a stream took, then it is asked again without it, and remembered',
    async (status, refusal) => {
      gateway.given.answer = ({ body }) =>
        body.stream_options ? { status, pieces: [JSON.stringify(refusal)] } : { pieces: [unasked] }
      const first = await ask('hello')
      expect([first.response.status, first.text]).toEqual([200, unasked])
      const before = gateway.provider.arrivals
      expect((await ask('hello again')).text).toBe(unasked)
      expect(gateway.provider.arrivals - before).toBe(1)
      // what it does not say counts at its most
      expect(await spent()).toBeGreaterThan(took.input + took.output)
    },
  )

  it('given several choices that do not say what they took, then each of them counts', async () => {
    const choice = (index: number, content: string) =>
      `data: ${JSON.stringify({ choices: [{ index, delta: { content }, finish_reason: null }] })}\n\n`
    const pieces = Array.from({ length: 128 }, (_, index) => choice(index, 'a word of it '))
    gateway.given.answer = () => ({ pieces: [...pieces, 'data: [DONE]\n\n'] })
    await ask('many', { n: 128 })
    expect(await spent()).toBeGreaterThanOrEqual(128 * 'a word of it '.length)
    expect((await ask('more')).response.status).toBe(429)
  })

  it('given a call that would keep or queue something in the account of the key, then it is refused with the field, and nothing is asked', async () => {
    const { response, text } = await ask('hello', { store: true })
    expect(response.status).toBe(400)
    expect(JSON.parse(text).error).toMatchObject({
      param: 'store',
      message: expect.stringContaining('a key of your own'),
    })
    expect(gateway.provider.requests).toEqual([])
    expect((await ask('hello', { store: false })).response.status).toBe(200)
  })

  it('given a response that was told to another person, when a call goes on from it, then it is refused; the one it was told to goes on', async () => {
    gateway.given.answer = () => ({ pieces: responsesWhole({ id: 'resp_of_one', text: 'Hi' }) })
    const one = { model: 'openai:gpt-4.1', input: 'hello' }
    const first = await gateway.post('responses', one)
    expect(first.status).toBe(200)
    await first.text()
    const next = { ...one, previous_response_id: 'resp_of_one' }
    expect((await gateway.post('responses', next)).status).toBe(200)
    const { key } = await gateway.world.person()
    const refused = await gateway.post('responses', next, { authorization: `Bearer ${key}` })
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('previous_response_id')
  })
})

onOneDatabase('a limit of branches at the gateway', ({ name }) => {
  const gateway = useGateway(name, {
    env: (provider) => ({
      OPENAI_COMPATIBLE_BASE_URL: provider,
      OPENAI_COMPATIBLE_MODELS: 'm',
      RAMIFY_QUOTA_BRANCHES: '2',
    }),
  })

  it('given one question that is asked again and again, when its replies have opened a branch more than allowed, then it is refused before the provider is asked', async () => {
    gateway.given.answer = (_, index) => ({ pieces: chatStream({ text: `Attempt ${index}.` }) })
    const statuses: number[] = []
    for (let times = 0; times < 5; times += 1) {
      const messages = [{ role: 'user', content: 'Where is Braga?' }]
      const response = await gateway.post('chat/completions', { model: 'm', stream: true, messages })
      await response.text()
      await Promise.all(tasks)
      statuses.push(response.status)
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    expect(await gateway.world.services.database.query('select 1 from branches')).toHaveLength(3)
  })
})

onOneDatabase('the rate of agents', ({ name }) => {
  // writes of a page are limited to one a minute here: those of agents do not count among them
  const gateway = useGateway(name, { env: () => ({ RAMIFY_RATE_LIMIT: '1', RAMIFY_CALL_LIMIT: '3' }) })

  it('given more requests in a minute than are allowed, then they are refused in the protocol, with the time to wait', async () => {
    gateway.given.answer = () => ({ pieces: responsesWhole({ text: 'Hi' }) })
    const ask = () => gateway.post('responses', { model: 'gpt-4.1', input: 'hello' })
    const statuses = [(await ask()).status, (await ask()).status, (await ask()).status]
    expect(statuses).toEqual([200, 200, 200])
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await refused.json()).error).toMatchObject({ code: 'too_many_requests' })
    expect(gateway.provider.requests).toHaveLength(3)
    await Promise.all(tasks)
  })
})
