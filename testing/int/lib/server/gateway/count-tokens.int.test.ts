import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type ProviderAnswer, type ProviderRequest, startProvider } from '@/testing/machines/provider-server'
import { openGateway } from '@/testing/worlds/gateway-world'

// Clients of Anthropic's protocol ask how long a call would be before they make it.

let world: Awaited<ReturnType<typeof openGateway>>
let provider: Awaited<ReturnType<typeof startProvider>>
let answer: (request: ProviderRequest) => ProviderAnswer
let person: Awaited<ReturnType<typeof world.person>>

beforeAll(async () => {
  provider = await startProvider((request) => answer(request))
  world = await openGateway('pglite', {
    ...{ ANTHROPIC_API_KEY: 'sk-of-the-server', ANTHROPIC_BASE_URL: provider.url },
    ...{ OPENAI_API_KEY: 'sk-of-the-server-openai', OPENAI_BASE_URL: provider.url },
  })
})
afterAll(async () => {
  await world?.close()
  await provider?.close()
})
beforeEach(async () => {
  person = await world.person()
  provider.requests.length = 0
})

const client = () => new Anthropic({ apiKey: person.key, baseURL: world.url, maxRetries: 0 })
const said = [{ role: 'user' as const, content: 'How long is this? '.repeat(20) }]
const json = (status: number, body: object): ProviderAnswer => ({
  ...{ status, headers: { 'content-type': 'application/json' } },
  pieces: [JSON.stringify(body)],
})

it('a provider that counts is asked, and its answer passed on', async () => {
  answer = () => json(200, { input_tokens: 1234, by: 'the provider' })
  const model = 'claude-opus-5-5'
  expect(await client().messages.countTokens({ model, messages: said })).toMatchObject({
    ...{ input_tokens: 1234, by: 'the provider' },
  })
  expect(provider.requests).toMatchObject([{ path: '/v1/messages/count_tokens', body: { model } }])
})

it('its refusal is passed on as it is', async () => {
  const error = { type: 'invalid_request_error', message: 'messages: too many' }
  answer = () => json(400, { type: 'error', error })
  const counted = client().messages.countTokens({ model: 'claude-opus-5-5', messages: said })
  await expect(counted).rejects.toMatchObject({ status: 400, error: { error } })
})

it.each([
  ['claude-opus-5-5', 'does not count', 404],
  ['openai:gpt-4.1', 'speaks another protocol', 200],
])('for %s, whose provider %s, the texts are counted here', async (model, _, status) => {
  answer = () => json(status, { input_tokens: 1 })
  const { input_tokens: bare } = await client().messages.countTokens({ model, messages: said })
  const { input_tokens: more } = await client().messages.countTokens({
    ...{ model, messages: said, system: 'Be brief. '.repeat(20) },
    tools: [{ name: 'look', input_schema: { type: 'object', properties: { what: { type: 'string' } } } }],
  })
  expect(bare).toBeGreaterThan(50)
  expect(more).toBeGreaterThan(bare + 30)
})

it('without a key, and of an unknown model, the refusal is in the protocol', async () => {
  const unknown = client().messages.countTokens({ model: 'no-such', messages: said })
  await expect(unknown).rejects.toMatchObject({ status: 404, error: { type: 'error' } })
  person = { ...person, key: 'wrong' }
  const refused = client().messages.countTokens({ model: 'demo:demo', messages: said })
  await expect(refused).rejects.toMatchObject({ status: 401, error: { type: 'error' } })
})

it('nothing is stored', async () => {
  answer = () => json(200, { input_tokens: 1 })
  await client().messages.countTokens({ model: 'claude-opus-5-5', messages: said })
  const chats = await world.services.database.query('select 1 from chats where user_id = $1', [person.id])
  expect(chats).toEqual([])
})
