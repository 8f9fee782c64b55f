import { afterEach, describe, expect, it } from 'vitest'
import { type OpenAIServer, type OpenAIServerOptions, startOpenAIServer, textOf } from './openai-server'

const servers: OpenAIServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function start(options?: OpenAIServerOptions) {
  const server = await startOpenAIServer(options)
  servers.push(server)
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return { server, post }
}

const hello = { model: 'm', messages: [{ role: 'user', content: 'hello' }] }
const events = (body: string) =>
  body
    .split('\n\n')
    .filter(Boolean)
    .map((event) => event.replace(/^data: /, ''))

describe('startOpenAIServer', () => {
  it('given no script, then it echoes and records the request', async () => {
    const { server, post } = await start()
    const body = await (await post(hello)).json()
    expect(body.choices[0].message.content).toBe('You said: hello')
    expect(body.usage).toEqual({ prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 })
    expect(server.requests).toEqual([hello])
  })

  it('given a script that looks at the request, then each reply depends on it', async () => {
    const { post } = await start({
      answer: (request, index) => `${index}: ${request.messages.map(textOf).join('+')}`,
    })
    await post(hello)
    const body = await (
      await post({
        ...hello,
        messages: [...hello.messages, { role: 'user', content: [{ type: 'text', text: 'b' }] }],
      })
    ).json()
    expect(body.choices[0].message.content).toBe('1: hello+b')
  })

  it.each([true, false])(
    'given a stream with include_usage %s, then events end with finish, usage if asked, [DONE]',
    async (include_usage) => {
      const { post } = await start({ answer: () => 'one two' })
      const response = await post({ ...hello, stream: true, stream_options: { include_usage } })
      expect(response.headers.get('content-type')).toBe('text/event-stream')
      const all = events(await response.text())
      expect(all.at(-1)).toBe('[DONE]')
      const parsed = all.slice(0, -1).map((event) => JSON.parse(event))
      expect(parsed.map((event) => event.choices[0]?.delta.content ?? '').join('')).toBe('one two')
      expect(parsed.some((event) => event.choices[0]?.finish_reason === 'stop')).toBe(true)
      expect(parsed.some((event) => event.usage !== undefined)).toBe(include_usage)
    },
  )

  it('given a pace, then each word comes no sooner than it is due, however late the one before was', async () => {
    const { post } = await start({ answer: () => ({ text: 'a b c d e', chunksPerSecond: 50 }) })
    const started = performance.now()
    const body = await (await post({ ...hello, stream: true })).text()
    // four intervals of 20 ms; a timer may fire a millisecond early
    expect(performance.now() - started).toBeGreaterThanOrEqual(79)
    expect(events(body).at(-1)).toBe('[DONE]')
  })

  it('given a script that throws, then 500 and not a hanging request', async () => {
    const { post } = await start({
      answer: () => {
        throw new Error('bad script')
      },
    })
    expect((await post(hello)).status).toBe(500)
  })

  it('given a hanging reply, when the server closes, then it closes', async () => {
    const { server, post } = await start({ answer: () => ({ text: 'a b', hangAfter: 1 }) })
    const response = await post({ ...hello, stream: true })
    servers.length = 0
    await server.close()
    await expect(response.text()).rejects.toThrow()
  })
})
