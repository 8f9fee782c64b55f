import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { signUp } from '@/lib/server/api/access'
import { listChats } from '@/lib/server/api/chat-list'
import { createThread } from '@/lib/server/api/commands'
import { completeChat } from '@/lib/server/api/gateway'
import { listModels } from '@/lib/server/api/models'
import { saveProviderKey } from '@/lib/server/api/provider-keys'
import { useApi } from '@/testing/worlds/api-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

/** A provider that counts what reaches it. */
let asked = 0
const provider = createServer((_request, response) => {
  asked++
  response.end('{}')
}).listen(0, '127.0.0.1')
await once(provider, 'listening')
afterAll(() => provider.close())
const { port } = provider.address() as AddressInfo

onOneDatabase('a demo', ({ name }) => {
  const api = useApi(name, {
    RAMIFY_DEMO: 'on',
    OPENAI_API_KEY: 'sk-of-the-operator',
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    RAMIFY_QUOTA_CHATS: '2',
  })

  it('given an operator’s key, when a guest looks, then the demo model alone answers, and no provider is asked with a key of the guest', async () => {
    const guest = await api.person()
    const { body } = await guest.ask(listModels)
    expect(body.models.map(({ id }: { id: string }) => id)).toEqual(['demo:demo'])
    const saved = await guest.ask(saveProviderKey, { id: 'openai', body: { key: 'sk-of-the-guest' } })
    expect(saved).toMatchObject({ status: 422, body: { code: 'provider_unreachable' } })
  })

  it('given an agent with a credential of its own, when it calls a provider through the demo, then nothing reaches the provider', async () => {
    const guest = await api.person()
    const { key } = await guest.script()
    const headers = { 'x-ramify-key': key, authorization: 'Bearer sk-of-the-guest' }
    const body = { model: 'gpt-5.5', messages: [{ role: 'user', content: 'Hello' }] }
    const answer = await api.respond(completeChat, { headers, body })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(asked).toBe(0)
  })

  it('given a visitor, when they sign up, then they are refused with a reason, and no person is made', async () => {
    const before = await api.query('select 1 from "user"')
    const answer = await api.ask(signUp, {
      headers: { origin: 'http://localhost:3000' },
      body: { email: 'ada@example.org', password: 'correct horse battery', name: 'Ada' },
    })
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'no_accounts', detail: expect.stringContaining('demo') },
    })
    expect(await api.query('select 1 from "user"')).toHaveLength(before.length)
  })

  it('given the limit of the operator, when a guest makes one chat more, then it is refused', async () => {
    const guest = await api.person()
    for (let made = 0; made < 2; made++)
      expect(await guest.ask(createThread, { body: {} })).toMatchObject({ status: 201 })
    expect(await guest.ask(createThread, { body: {} })).toMatchObject({
      status: 429,
      body: { limit: 'chats' },
    })
  })

  it('given a guest of an hour ago and one of now, when the demo is swept, then all of the first is deleted, and nothing of the second', async () => {
    const [old, young] = [await api.person(), await api.person()]
    for (const guest of [old, young]) await guest.ask(createThread, { body: {} })
    await api.query(`update "user" set created_at = created_at - interval '61 minutes' where id = $1`, old.id)
    const { chores } = api.services
    expect(await chores['deleting the guests of an hour ago']?.()).toBe(1)
    while ((await chores['deleting the chats of deleted accounts']()) > 0);
    expect(await old.ask(listChats)).toMatchObject({ status: 401 })
    expect((await young.ask(listChats)).body.chats).toHaveLength(1)
    const left = await api.query(`select 1 from chats where user_id not in (select id from "user")`)
    expect(left).toEqual([])
  })
})
