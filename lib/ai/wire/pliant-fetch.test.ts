import { generateText, streamText } from 'ai'
import { afterEach, expect, it } from 'vitest'
import { createModels } from '@/lib/ai/registry'
import { type ProviderRequest, startProvider } from '@/testing/machines/provider-server'

const servers: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const reply = (_request: ProviderRequest) => {
  const piece = { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] }
  return { pieces: [`data: ${JSON.stringify(piece)}\n\n`], headers: { 'content-type': 'text/event-stream' } }
}

async function server(refusal: (request: ProviderRequest) => { status: number; said: string } | undefined) {
  const provider = await startProvider((request) => {
    const refused = refusal(request)
    return refused ? { status: refused.status, pieces: [refused.said] } : reply(request)
  })
  servers.push(provider)
  const models = createModels({ OPENAI_COMPATIBLE_BASE_URL: provider.url, OPENAI_COMPATIBLE_MODELS: 'm,n' })
  const ask = async (model: string) => {
    const result = streamText({
      model: models.get(`openai-compatible:${model}`),
      prompt: 'Hello',
      maxRetries: 0,
    })
    return await result.text
  }
  return { provider, models, ask }
}

it.each([
  [422, 'Extra inputs are not permitted: stream_options'],
  [
    422,
    '{"detail":[{"type":"extra_forbidden","loc":["body","stream_options","include_usage"],"msg":"Extra inputs are not permitted"}]}',
  ],
  [400, '{"error":{"message":"property \'stream_options\' is unsupported, did you mean \'stream\'?"}}'],
  [400, 'Stream options are not supported'],
  [500, '{"error":"unknown field include_usage"}'],
])(
  'given a server that refuses stream_options with %d and %s, then it is asked again without, and once for other models',
  async (status, said) => {
    const { provider, ask } = await server(({ body }) => (body.stream_options ? { status, said } : undefined))
    expect([await ask('m'), await ask('n'), await ask('m')]).toEqual(['Hi', 'Hi', 'Hi'])
    expect(provider.requests.map(({ body }) => 'stream_options' in body)).toEqual([true, false, false, false])
  },
)

it('given a model that knows the limit of a reply by its second name, then it gets it, and other models the first', async () => {
  const said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
  const { provider, models } = await server(({ body }) =>
    body.model === 'm' && 'max_tokens' in body ? { status: 400, said } : undefined,
  )
  for (const model of ['m', 'm', 'n'])
    await generateText({
      model: models.get(`openai-compatible:${model}`),
      prompt: 'Hello',
      maxOutputTokens: 9,
      maxRetries: 0,
    })
  expect(
    provider.requests.map(({ body }) => [body.model, body.max_tokens, body.max_completion_tokens]),
  ).toEqual([
    ['m', 9, undefined],
    ['m', undefined, 9],
    ['m', undefined, 9],
    ['n', 9, undefined],
  ])
})

it('given a refusal of something else, then it is told, and nothing is asked twice', async () => {
  const { provider, ask } = await server(() => ({ status: 400, said: '{"error":"no such model"}' }))
  await expect(ask('m')).rejects.toThrow()
  expect(provider.requests).toHaveLength(1)
})
