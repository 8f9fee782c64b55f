import Anthropic from '@anthropic-ai/sdk'
import { expect, it } from 'vitest'
import type { ProviderAnswer } from '@/testing/machines/provider-server'
import { useGateway } from '@/testing/worlds/gateway-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

// Clients of Anthropic's protocol ask how long a call would be before they make it.

onOneDatabase('the length of a call', ({ name }) => {
  const gateway = useGateway(name)
  const { given } = gateway

  const client = (key = gateway.person.key) =>
    new Anthropic({ apiKey: key, baseURL: gateway.world.url, maxRetries: 0 })
  const said = [{ role: 'user' as const, content: 'How long is this? '.repeat(20) }]
  const json = (status: number, body: object): ProviderAnswer => ({
    status,
    headers: { 'content-type': 'application/json' },
    pieces: [JSON.stringify(body)],
  })

  it('a provider that counts is asked, its answer passed on, and nothing stored', async () => {
    given.answer = () => json(200, { input_tokens: 1234, by: 'the provider' })
    const model = 'claude-opus-5-5'
    const counted = await client().messages.countTokens({ model, messages: said })
    expect(counted).toMatchObject({ input_tokens: 1234, by: 'the provider' })
    expect(gateway.provider.requests).toMatchObject([{ path: '/v1/messages/count_tokens', body: { model } }])
    const { database } = gateway.world.services
    expect(await database.query('select 1 from chats where user_id = $1', [gateway.person.id])).toEqual([])
  })

  it('its refusal is passed on as it is', async () => {
    const error = { type: 'invalid_request_error', message: 'messages: too many' }
    given.answer = () => json(400, { type: 'error', error })
    const counted = client().messages.countTokens({ model: 'claude-opus-5-5', messages: said })
    await expect(counted).rejects.toMatchObject({ status: 400, error: { error } })
  })

  it.each([
    ['claude-opus-5-5', 'does not count', 404],
    ['openai:gpt-4.1', 'speaks another protocol', 200],
  ])('for %s, whose provider %s, the texts are counted here', async (model, _, status) => {
    given.answer = () => json(status, { input_tokens: 1 })
    const { input_tokens: bare } = await client().messages.countTokens({ model, messages: said })
    const { input_tokens: more } = await client().messages.countTokens({
      model,
      messages: said,
      system: 'Be brief. '.repeat(20),
      tools: [{ name: 'look', input_schema: { type: 'object', properties: { what: { type: 'string' } } } }],
    })
    expect(bare).toBeGreaterThan(50)
    expect(more).toBeGreaterThan(bare + 30)
  })

  it('without a key, and of an unknown model, the refusal is in the protocol', async () => {
    const unknown = client().messages.countTokens({ model: 'no-such', messages: said })
    await expect(unknown).rejects.toMatchObject({ status: 404, error: { type: 'error' } })
    const refused = client('wrong').messages.countTokens({ model: 'demo:demo', messages: said })
    await expect(refused).rejects.toMatchObject({ status: 401, error: { type: 'error' } })
  })
})
