import { afterAll, describe, expect, it } from 'vitest'
import { createModels } from '@/lib/ai/registry'
import { streamReply } from '@/lib/ai/stream-reply'
import { type ProviderAnswer, startProvider } from '@/testing/machines/provider-server'

const servers: { close(): Promise<unknown> }[] = []
// not after each: those that wait run at the same time
afterAll(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const say = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const [words, end] = [say({ content: 'All is well.' }), say({}, 'stop')]
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const never = () => new Promise<void>(() => undefined)

/** The reply of a person's server whose models may say nothing for so long. */
async function reply(answer: ProviderAnswer, silenceMs: number | null, env: Record<string, string> = {}) {
  const server = await startProvider(() => answer)
  servers.push(server)
  const models = createModels(env).with({
    keys: [
      {
        provider: 'openai-compatible',
        baseUrl: server.url,
        models: [{ name: 'm' }],
        isReadable: true,
        silenceMs,
        open: () => 'sk-ada',
      },
    ],
  })
  return await streamReply({
    model: models.get('openai-compatible:m'),
    replyId: 'r1',
    maxRetries: 0,
    messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'How are things?' }] }],
  }).done
}

const sse = { 'content-type': 'text/event-stream' }

describe.concurrent('a silent model', () => {
  it.each<[string, ProviderAnswer]>([
    ['before its first word', { headers: sse, pieces: [words, end], before: never }],
    [
      'within its reply',
      { headers: sse, pieces: [words, end], before: (at) => (at === 1 ? never() : undefined) },
    ],
  ])(
    'given silence %s, then the reply fails, and says how long it waited and how to wait longer',
    async (_, answer) => {
      const { error, status } = await reply(answer, 1000)
      expect(status).toBe('failed')
      expect(error).toMatchObject({
        kind: 'network',
        message: 'The model said nothing for 1 s.',
        retryable: true,
      })
      expect(error?.advice).toMatch(/Settings, Models.*RAMIFY_MODEL_SILENCE_MS/)
    },
  )

  it('given the time of the server, then it holds where a key has none', async () => {
    const { error } = await reply({ headers: sse, pieces: [words], before: never }, null, {
      RAMIFY_MODEL_SILENCE_MS: '1000',
    })
    expect(error?.message).toBe('The model said nothing for 1 s.')
  })

  it.each([
    ['comments', ': still reading\n\n'],
    ['named events', 'event: ping\ndata: {}\n\n'],
    ['empty data', 'data:\n\n'],
    ['empty pieces', say({ content: '' })],
    ['line ends', '\n'],
  ])('given %s meanwhile, then the model is waited for', async (_, sign) => {
    const answer: ProviderAnswer = {
      headers: sse,
      pieces: [...Array<string>(6).fill(sign), words, end],
      before: (at) => (at === 0 ? undefined : pause(300)),
    }
    const { status } = await reply(answer, 1000)
    expect(status).toBe('completed')
  })

  it.each(['999', '5m', '-1', '86400001', '1e5'])(
    'given RAMIFY_MODEL_SILENCE_MS=%s, then the start fails',
    (value) => {
      expect(() => createModels({ RAMIFY_MODEL_SILENCE_MS: value })).toThrow(
        /^RAMIFY_MODEL_SILENCE_MS must be/,
      )
    },
  )
})
