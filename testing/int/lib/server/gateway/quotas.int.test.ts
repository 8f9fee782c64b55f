import { afterAll, beforeAll, expect, it } from 'vitest'
import { chatStream } from '@/testing/fixtures/provider-replies'
import { startProvider } from '@/testing/machines/provider-server'
import { tasksAfter } from '@/testing/worlds/framework'
import { openGateway } from '@/testing/worlds/gateway-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const tasks = tasksAfter()

onOneDatabase('quotas at the gateway', ({ name }) => {
  let world: Awaited<ReturnType<typeof openGateway>>
  let provider: Awaited<ReturnType<typeof startProvider>>

  beforeAll(async () => {
    // a stream that does not say what it took, as where an agent does not ask for it
    const pieces = chatStream({ text: 'word '.repeat(200) }).filter((piece) => !piece.includes('"usage"'))
    provider = await startProvider(() => ({ pieces }))
    world = await openGateway(name, {
      ...{ OPENAI_COMPATIBLE_BASE_URL: provider.url, OPENAI_COMPATIBLE_MODELS: 'm' },
      ...{ RAMIFY_QUOTA_CALLS: '3', RAMIFY_QUOTA_TOKENS: '300' },
    })
  })
  afterAll(async () => {
    await world?.close()
    await provider?.close()
  })

  const ask = async (key: string, content: string) => {
    const response = await fetch(`${world.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content }] }),
    })
    const text = await response.text()
    await Promise.all(tasks)
    return { response, text }
  }

  it('given replies that do not say what they took, when the tokens of the day are used up, then the provider is asked no more', async () => {
    const { key } = await world.person()
    const before = provider.arrivals
    const told = [await ask(key, 'one'), await ask(key, 'two'), await ask(key, 'three')]
    expect(told.map(({ response }) => response.status)).toEqual([200, 200, 429])
    const [, , refused] = told
    expect(JSON.parse(refused?.text ?? '')).toMatchObject({
      error: { code: 'quota_exceeded', type: 'rate_limit_error', message: expect.stringContaining('tokens') },
    })
    expect(Number(refused?.response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(provider.arrivals - before).toBe(2)
  })
})
