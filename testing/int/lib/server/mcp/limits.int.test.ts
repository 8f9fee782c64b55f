import { expect, it, vi } from 'vitest'
import { answerMcp } from '@/lib/server/mcp/endpoint'
import { mcpRequest, openMcpWorld } from '@/testing/worlds/mcp-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { useWorld } from '@/testing/worlds/use-world'

onOneDatabase('limits of MCP', ({ name }) => {
  const limits = { RAMIFY_RATE_LIMIT: '4', RAMIFY_QUOTA_STREAMS: '1' }
  const { world } = useWorld(() => openMcpWorld(name, answerMcp, limits))

  it('given as many writes as a minute allows, then the next one says when to try again, and reads go on', async () => {
    const agent = await world.agent()
    const { chat_id } = (await agent.call('send_message', { text: 'Begin.' })).value
    for (const at of [1, 2, 3])
      expect((await agent.call('checkpoint', { chat_id, name: `c${at}` })).isError).toBe(false)
    const refused = await agent.call('checkpoint', { chat_id, name: 'c4' })
    expect(refused.isError).toBe(true)
    expect(refused.text).toMatch(/Try again in \d+ seconds\. \(too_many_requests\)$/)
    expect((await agent.call('read_chat', { chat_id })).value.checkpoints).toHaveLength(3)
    // another person has a rate of their own
    expect((await (await world.agent()).call('send_message', { text: 'Begin.' })).isError).toBe(false)
  })

  it('given an agent that waits for a reply, when its key is revoked, then the waiting ends, and the reply is stored', async () => {
    const ownerId = await world.person()
    const agent = await world.agent({ ownerId })
    const { promise: free, resolve: go } = Promise.withResolvers<void>()
    const { promise: asked, resolve: heard } = Promise.withResolvers<void>()
    world.answer = () => {
      heard()
      return { text: 'Late words.', pace: () => free }
    }
    const waiting = agent.call('send_message', { text: 'Take your time.' })
    const ended = expect(waiting).rejects.toThrow()
    await asked
    // given as many open streams as are allowed, a second one is refused
    await expect(agent.call('send_message', { text: 'Another.' })).rejects.toThrow('429')
    const [{ id = '' } = {}] = await world.services.apiKeys.list(ownerId)
    await world.services.apiKeys.revoke(ownerId, id)
    const reader = { personId: ownerId, credential: { kind: 'key', id }, address: 'elsewhere' } as const
    expect(world.services.streams.full(reader)).toMatchObject({ limit: 'streams', used: 1 })
    await world.services.streams.endRevoked()
    await vi.waitFor(() => expect(world.services.streams.full(reader)).toBeUndefined(), 10_000)
    await agent.client.close()
    await ended
    go()
    const other = await world.agent({ ownerId })
    const { chats } = (await other.call('list_chats')).value
    const read = async () =>
      (await other.call('read_branch', { chat_id: chats[0].chat_id })).value.messages as { text: string }[]
    await expect
      .poll(async () => (await read()).map(({ text }) => text))
      .toEqual(['Take your time.', 'Late words.'])
  })

  it('given more clients that leave in the middle than one key may have at once, then the key is answered as before', async () => {
    const { key, call } = await world.agent()
    const { reads } = world.services.ports
    const clients = Array.from({ length: 9 }, () => new AbortController())
    let reading = 0
    // no answer comes until all that may read at once do, and then all of them leave
    const chats = () => {
      reading += 1
      if (reading === 8) for (const client of clients) client.abort()
      return new Promise(() => undefined)
    }
    const waits = vi.spyOn(reads, 'until')
    const slow = { chats: { value: chats }, countChats: { value: async () => 0 } }
    waits.mockImplementation(() => Object.create(reads, slow))
    const left = clients.map(async ({ signal }) => {
      const asked = mcpRequest(world.url, key, 'tools/call', { name: 'list_chats' }, { signal })
      return (await answerMcp(asked)).status
    })
    expect(await Promise.all(left)).toEqual(Array(9).fill(408))
    waits.mockRestore()
    expect((await call('list_chats')).isError).toBe(false)
  })
})
