import { expect, it } from 'vitest'
import { chatWhole, messagesWhole, responsesWhole } from '@/testing/fixtures/provider-replies'
import { tasksAfter } from '@/testing/worlds/framework'
import { useGateway } from '@/testing/worlds/gateway-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

tasksAfter()

const said = { messages: [{ role: 'user', content: 'Hello' }] }
const bodies = {
  messages: { ...said, max_tokens: 9 },
  responses: { input: 'Hello' },
  'chat/completions': said,
}
const replies = { messages: messagesWhole, responses: responsesWhole, 'chat/completions': chatWhole }
type Path = keyof typeof bodies

onOneDatabase('names of models, where the keys are asked for any', ({ name }) => {
  const gateway = useGateway(name, { env: () => ({ RAMIFY_UNLISTED_MODELS: 'on' }) })
  const { given } = gateway
  const list = async (path: string, headers: Record<string, string> = {}) => {
    const authorization = `Bearer ${gateway.person.key}`
    const response = await fetch(`${gateway.world.url}/v1/${path}`, {
      headers: { authorization, ...headers },
    })
    return { status: response.status, json: await response.json() }
  }

  it.each<[Path, string, string]>([
    ['messages', 'claude-opus-4-8', 'x-api-key'],
    ['messages', 'claude-opus-4-8[1m]', 'x-api-key'],
    ['messages', 'opus', 'x-api-key'],
    ['responses', 'gpt-6.2-sol', 'authorization'],
    ['responses', 'gpt-5.5-2026-04-24', 'authorization'],
    ['chat/completions', 'o4-mini', 'authorization'],
    ['chat/completions', 'qwen3-coder-plus', 'authorization'],
  ])('%s: %s goes to its provider as it is written', async (path, model, key) => {
    given.answer = () => ({ pieces: replies[path]({ text: 'Hi.' }) })
    const response = await gateway.post(path, { ...bodies[path], model })
    expect(response.status).toBe(200)
    const [asked] = gateway.provider.requests
    expect(asked).toMatchObject({ path: `/v1/${path}`, body: { model } })
    expect(asked?.headers[key]).toContain('sk-of-the-server')
  })

  it('the provider’s own refusal of a name that it does not have passes through', async () => {
    const refusal = '{"type":"error","error":{"type":"not_found_error","message":"model: claude-none-1"}}'
    given.answer = () => ({ status: 404, pieces: [refusal] })
    const response = await gateway.post('messages', { ...bodies.messages, model: 'claude-none-1' })
    expect([response.status, await response.text()]).toEqual([404, refusal])
  })

  it('a name whose provider has no key is refused with what to do', async () => {
    const response = await gateway.post('chat/completions', { ...said, model: 'gemini-2.5-pro' })
    const { error } = await response.json()
    expect([response.status, error.code]).toEqual([404, 'model_not_found'])
    expect(error.message).toContain('GOOGLE_GENERATIVE_AI_API_KEY')
    expect(gateway.provider.requests).toEqual([])
  })

  it('the list has what the providers list, in their words, beside the ids of here', async () => {
    const opus = { type: 'model', id: 'claude-opus-4-8', display_name: 'Opus 4.8', created_at: '2026-01-01' }
    const sol = { id: 'gpt-6.2-sol', object: 'model', created: 1_780_000_000, owned_by: 'system' }
    given.answer = ({ headers }) => ({
      headers: { 'content-type': 'application/json' },
      pieces: [JSON.stringify({ data: headers['x-api-key'] ? [opus] : [sol] })],
    })
    const { json: openai } = await list('models')
    expect(openai.data).toContainEqual(sol)
    expect(openai.data).toContainEqual(expect.objectContaining({ id: opus.id, object: 'model' }))
    expect(openai.data).toContainEqual(expect.objectContaining({ id: 'openai:gpt-4.1' }))
    const version = { 'anthropic-version': '2023-06-01' }
    const { json: anthropic } = await list('models', version)
    expect(anthropic.data).toContainEqual(opus)
    expect(await list('models/claude-opus-4-8', version)).toEqual({ status: 200, json: opus })
    expect(await list('models/gpt-6.2-sol')).toEqual({ status: 200, json: sol })
    expect((await list('models/gpt-none')).status).toBe(404)
    expect(gateway.provider.requests).toHaveLength(2)
  })
})

onOneDatabase('names of models, where the keys are shared', ({ name }) => {
  const gateway = useGateway(name)
  const { given } = gateway

  it('a model that no list has is refused before a provider is asked; a version of a listed one is asked for as it is', async () => {
    given.answer = () => ({ pieces: chatWhole({ text: 'Hi.' }) })
    const dear = await gateway.post('chat/completions', { ...said, model: 'o1-pro' })
    const { error } = await dear.json()
    expect([dear.status, error.code, error.message]).toEqual([
      ...[404, 'model_not_found'],
      expect.stringContaining('add a key of your own'),
    ])
    expect((await gateway.post('chat/completions', { ...said, model: 'openai:o1-pro' })).status).toBe(404)
    expect(gateway.provider.requests).toEqual([])
    const model = 'gpt-4.1-2026-04-14'
    expect((await gateway.post('chat/completions', { ...said, model })).status).toBe(200)
    expect(gateway.provider.requests).toMatchObject([{ body: { model } }])
  })

  it('the list has the versions of listed models alone', async () => {
    const data = ['o1-pro', 'gpt-4.1', 'gpt-4.1-2026-04-14'].map((id) => ({ id, object: 'model' }))
    given.answer = () => ({ pieces: [JSON.stringify({ data })] })
    const authorization = `Bearer ${gateway.person.key}`
    const response = await fetch(`${gateway.world.url}/v1/models`, { headers: { authorization } })
    const ids = ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
    expect(ids.filter((id) => !id.includes(':'))).toEqual(['gpt-4.1', 'gpt-4.1-2026-04-14'])
  })
})
