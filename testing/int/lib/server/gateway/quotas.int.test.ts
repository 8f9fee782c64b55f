import { expect, it } from 'vitest'
import { chatStream } from '@/testing/fixtures/provider-replies'
import { tasksAfter } from '@/testing/worlds/framework'
import { useGateway } from '@/testing/worlds/gateway-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const tasks = tasksAfter()

onOneDatabase('quotas at the gateway', ({ name }) => {
  const gateway = useGateway(name, {
    env: (provider) => ({
      ...{ OPENAI_COMPATIBLE_BASE_URL: provider, OPENAI_COMPATIBLE_MODELS: 'm' },
      ...{ RAMIFY_QUOTA_CALLS: '3', RAMIFY_QUOTA_TOKENS: '300' },
    }),
  })
  const ask = async (content: string) => {
    const asked = { model: 'm', stream: true, messages: [{ role: 'user', content }] }
    const response = await gateway.post('chat/completions', asked)
    const text = await response.text()
    await Promise.all(tasks)
    return { response, text }
  }

  it('given replies that do not say what they took, when the tokens of the day are used up, then the provider is asked no more', async () => {
    // a stream that does not say what it took, as where an agent does not ask for it
    const pieces = chatStream({ text: 'word '.repeat(200) }).filter((piece) => !piece.includes('"usage"'))
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
})

onOneDatabase('a limit of branches at the gateway', ({ name }) => {
  const gateway = useGateway(name, {
    env: (provider) => ({
      ...{ OPENAI_COMPATIBLE_BASE_URL: provider, OPENAI_COMPATIBLE_MODELS: 'm' },
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
