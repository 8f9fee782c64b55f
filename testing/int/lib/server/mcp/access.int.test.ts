import { beforeAll, expect, it } from 'vitest'
import { answerMcp } from '@/lib/server/mcp/endpoint'
import { forgetRefusals } from '@/testing/worlds/identity-world'
import { type Agent, openMcpWorld } from '@/testing/worlds/mcp-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { storedChat } from '@/testing/worlds/stored-chat'
import { useWorld } from '@/testing/worlds/use-world'

const READS = ['list_chats', 'search', 'read_chat', 'read_branch', 'compare', 'recall']
const WRITES = [
  ...['checkpoint', 'fork', 'send_message', 'merge', 'bookmark', 'rewind', 'undo'],
  ...['fan_out', 'cherry_pick', 'replay', 'leave_out', 'steer'],
]

onOneDatabase('access to MCP', ({ name }) => {
  const { world, lines } = useWorld(() => openMcpWorld(name, answerMcp))
  // of one address the audit log has ten refusals a minute, also those of other tests
  beforeAll(forgetRefusals)

  /** A chat with a checkpoint, and input with which each tool would do something in it. */
  const chatOf = async (agent: Agent) => {
    const { value } = await agent.call('send_message', { text: 'The plan is secret.' })
    const { chat_id, message_id } = value
    await agent.call('fork', { chat_id, name: 'other' })
    const inputs: Record<string, object> = {
      read_chat: { chat_id },
      read_branch: { chat_id },
      search: { query: 'secret', chat_id },
      compare: { chat_id },
      checkpoint: { chat_id, name: 'mine', message_id },
      fork: { chat_id, message_id },
      rewind: { chat_id, message_id },
      send_message: { chat_id, text: 'Hello?' },
      merge: { chat_id, source: 'other', target: 'main' },
      recall: { chat_id },
      bookmark: { chat_id, name: 'mine' },
      undo: { chat_id },
      fan_out: { chat_id, text: 'Hello?', count: 2 },
      cherry_pick: { chat_id, branch: 'other', message_ids: [message_id] },
      replay: { chat_id },
      leave_out: { chat_id, branch: 'main', message_ids: [message_id] },
      steer: { chat_id, branch: 'main', to: 'other' },
    }
    return { chat_id: chat_id as string, message_id: message_id as string, inputs }
  }
  /** The text of a resource. */
  const textOf = async ({ client }: Agent, uri: string) => {
    const [content] = (await client.readResource({ uri })).contents
    if (!content || !('text' in content)) throw new Error(`${uri} has no text`)
    return content.text
  }
  const refs = async (agent: Agent, chat_id: string) => (await agent.call('read_chat', { chat_id })).value

  it('given a key that only reads, then reading tools are listed, writing ones are refused, and nothing is written', async () => {
    const ownerId = await world.person()
    const writer = await world.agent({ ownerId })
    const { chat_id, inputs } = await chatOf(writer)
    const before = await refs(writer, chat_id)
    const reader = await world.agent({ ownerId, scopes: ['read'] })
    expect((await reader.client.listTools()).tools.map((tool) => tool.name)).toEqual(READS)
    for (const tool of WRITES) {
      const refused = await reader.call(tool, inputs[tool])
      expect(refused.isError, tool).toBe(true)
      expect(refused.text, tool).toContain('This API key may only read.')
      expect(refused.text, tool).toContain('(insufficient_scope)')
    }
    for (const tool of READS) expect((await reader.call(tool, inputs[tool])).isError, tool).toBe(false)
    expect(await refs(writer, chat_id)).toEqual(before)
    expect(lines.filter((line) => line.includes('insufficient_scope'))).not.toEqual([])
  })

  it('given a key that only writes, then reading tools and resources are refused', async () => {
    const ownerId = await world.person()
    const { chat_id } = await chatOf(await world.agent({ ownerId }))
    const writer = await world.agent({ ownerId, scopes: ['write'] })
    expect((await writer.client.listTools()).tools.map((tool) => tool.name)).toEqual(WRITES)
    expect((await writer.call('read_branch', { chat_id })).text).toContain('This API key may only write.')
    await expect(writer.client.listResources()).rejects.toThrow('This API key may only write.')
    const uri = `ramify://chats/${chat_id}`
    await expect(writer.client.readResource({ uri })).rejects.toThrow('may only write')
  })

  it('given a chat of another person, then every tool answers as if it did not exist, and nothing is written', async () => {
    const ada = await world.agent()
    const { chat_id, inputs, message_id } = await chatOf(ada)
    const before = await refs(ada, chat_id)
    const eve = await world.agent()
    const nothing = `00000000-${chat_id.slice(9)}`
    for (const [tool, input] of Object.entries(inputs)) {
      const foreign = await eve.call(tool, input)
      const missing = await eve.call(tool, { ...input, chat_id: nothing })
      expect(foreign.isError, tool).toBe(true)
      expect(foreign.text, tool).toContain('Chat not found')
      expect(foreign, tool).toEqual(missing)
    }
    expect((await eve.call('search', { query: 'secret' })).value.hits).toEqual([])
    expect((await eve.call('list_chats')).value.chats).toEqual([])
    // given a chat of her own, a message of the other chat is not in it either
    const own = await chatOf(eve)
    const picked = await eve.call('fork', { chat_id: own.chat_id, message_id })
    expect(picked.text).toContain('Message not found')
    const missing = { code: -32002, message: expect.stringContaining('Resource not found') }
    for (const id of [chat_id, nothing])
      for (const uri of [`ramify://chats/${id}`, `ramify://chats/${id}/branches/main`])
        await expect(eve.client.readResource({ uri })).rejects.toMatchObject(missing)
    expect(await refs(ada, chat_id)).toEqual(before)
  })

  it('given input that is not valid, then the answer names the field, and nothing is written', async () => {
    const agent = await world.agent()
    const { chat_id, message_id } = await chatOf(agent)
    const before = await refs(agent, chat_id)
    const nothingNew = { chat_id, source: 'other', target: 'main' }
    for (const [tool, input, words] of [
      ['read_branch', {}, 'chat_id'],
      ['read_branch', { chat_id, limit: 0 }, 'limit'],
      ['read_branch', { chat_id, limt: 3 }, 'limt'],
      ['read_branch', { chat_id, cursor: 'not a cursor' }, 'invalid_cursor'],
      ['read_chat', { chat_id, cursor: Buffer.from('{"above":3}').toString('base64url') }, 'invalid_cursor'],
      ['read_branch', { chat_id, branch: 'nowhere' }, 'Branch not found'],
      ['send_message', { text: '   ' }, 'Message cannot be empty'],
      ['send_message', { chat_id, text: 'x', wait_seconds: 10_000 }, 'wait_seconds'],
      ['send_message', { chat_id, text: 'x', model: 'nobody:nothing' }, 'nobody:nothing'],
      ['send_message', { text: 'x', branch: 'main' }, 'A new chat has no branches'],
      ['checkpoint', { chat_id, name: ' ' }, 'empty_name'],
      ['checkpoint', { chat_id, name: 'x', message_id: 'nothing' }, 'Message not found'],
      ['fork', { chat_id, name: 'main' }, 'name_taken'],
      ['fork', { chat_id, message_id: 'nothing' }, 'Message not found'],
      ['fork', { chat_id, idempotency_key: '' }, 'idempotency_key'],
      ['rewind', { chat_id, message_id: 'nothing' }, 'Message not found'],
      ['merge', { chat_id, source: 'other', target: 'nowhere' }, 'Branch not found'],
      ['merge', { ...nothingNew, brief: 'x', resolutions: { none: 'source' } }, '(nothing_to_merge)'],
    ] as const) {
      const refused = await agent.call(tool, input)
      expect([refused.isError, refused.value], `${tool} ${JSON.stringify(input)}`).toEqual([true, undefined])
      expect(refused.text, tool).toContain(words)
      expect(refused.text, tool).not.toContain('went wrong')
    }
    await expect(agent.client.callTool({ name: 'delete_everything' })).rejects.toMatchObject({ code: -32602 })
    for (const uri of [
      ...['ramify://chats/', 'ramify://keys/1', 'https://example.org/', `ramify://chats/${chat_id}/x/y`],
      ...['ramify://chats/%00', 'ramify://chats/%ff'],
    ])
      await expect(agent.client.readResource({ uri }), uri).rejects.toMatchObject({ code: -32002 })
    expect(message_id).not.toBe('')
    expect(await refs(agent, chat_id)).toEqual(before)
  })

  it('given chats, when resources are listed page by page and read, then they say what the tools say', async () => {
    const ownerId = await world.person()
    const agent = await world.agent({ ownerId })
    const { chat_id } = await chatOf(agent)
    for (let at = 0; at < 54; at++) await storedChat(world.services.store, ownerId, { title: `Chat ${at}` })
    const first = await agent.client.listResources()
    expect(first.resources).toHaveLength(50)
    const second = await agent.client.listResources({ cursor: first.nextCursor ?? '' })
    expect(second.nextCursor).toBeUndefined()
    const uris = [...first.resources, ...second.resources].map(({ uri }) => uri)
    expect(new Set(uris).size).toBe(55)
    expect(uris).toContain(`ramify://chats/${chat_id}`)
    await expect(agent.client.listResources({ cursor: 'nonsense' })).rejects.toMatchObject({ code: -32602 })

    const { resourceTemplates } = await agent.client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      ...['ramify://chats/{id}', 'ramify://chats/{id}/branches/{name}{?cursor}'],
    ])
    const outline = JSON.parse(await textOf(agent, `ramify://chats/${chat_id}`))
    expect(outline).toEqual(await refs(agent, chat_id))
    for (const { uri } of outline.branches) expect(await textOf(agent, uri)).toContain('The plan is secret.')
  })

  it('given a long branch, when its resource is read, then it names the resource of what came before', async () => {
    const agent = await world.agent()
    world.answer = () => 'Noted.'
    const { chat_id } = await chatOf(agent)
    const long = 'word '.repeat(4000)
    for (const text of [`${long} one`, `${long} two`]) await agent.call('send_message', { chat_id, text })
    const text = await textOf(agent, `ramify://chats/${chat_id}/branches/main`)
    expect(text).toContain('two')
    expect(text).not.toContain('secret')
    const [uri = ''] = /ramify:\S+\?cursor=\S+/.exec(text) ?? []
    expect(await textOf(agent, uri)).toContain('The plan is secret.')
  })

  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  }
  const toolCall = (input: object) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'read_chat', arguments: input },
  })
  const ask = (headers: Record<string, string>, body: unknown = initialize) => {
    const asJson = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const sent = typeof body === 'string' ? body : JSON.stringify(body)
    return fetch(world.url, { method: 'POST', headers: { ...asJson, ...headers }, body: sent })
  }

  it('given no key, or a wrong or revoked one, then 401 says how to ask', async () => {
    const none = await ask({})
    const way = `resource_metadata="${world.url.origin}/.well-known/oauth-protected-resource/mcp", scope="read write"`
    expect(none.status).toBe(401)
    expect(none.headers.get('www-authenticate')).toBe(`Bearer realm="Ramify", ${way}`)
    // a session of a browser does not count
    expect((await ask({ cookie: 'better-auth.session_token=x' })).status).toBe(401)
    const wrong = await ask({ authorization: 'Bearer rk_wrong' })
    expect(wrong.status).toBe(401)
    expect(wrong.headers.get('www-authenticate')).toBe(`Bearer realm="Ramify", error="invalid_token", ${way}`)
    const ownerId = await world.person()
    const agent = await world.agent({ ownerId })
    const [{ id = '' } = {}] = await world.services.apiKeys.list(ownerId)
    await world.services.apiKeys.revoke(ownerId, id)
    await expect(agent.client.listTools()).rejects.toThrow('401')
  })

  it('given a page of another site, then it is refused', async () => {
    const { key } = await world.agent()
    const authorization = `Bearer ${key}`
    const own = world.url.origin
    expect((await ask({ authorization })).status).toBe(200)
    expect((await ask({ authorization, origin: own })).status).toBe(200)
    for (const origin of ['https://evil.example', 'null', own.replace('http:', 'ftp:')])
      expect((await ask({ authorization, origin })).status, origin).toBe(403)
  })

  it('given what is no message of the protocol, then it is refused with a problem document', async () => {
    const authorization = `Bearer ${(await world.agent()).key}`
    for (const [headers, body, status] of [
      [{}, 'no json', 400],
      [{}, [initialize], 400],
      [{}, { hello: 'world' }, 400],
      [{}, toolCall({ chat_id: 'a\0b' }), 400],
      [{}, toolCall({ chat_id: '\ud800' }), 400],
      [{}, JSON.stringify({ ...initialize, params: { more: 'x'.repeat(1_100_000) } }), 413],
      [{ 'content-type': 'text/plain' }, initialize, 415],
      [{ accept: 'application/json' }, initialize, 406],
      [{ 'mcp-protocol-version': '1999-01-01' }, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, 400],
    ] as const) {
      const refused = await ask({ authorization, ...headers }, body)
      expect(refused.status, JSON.stringify(headers)).toBe(status)
      expect(refused.headers.get('content-type')).toBe('application/problem+json')
      expect(await refused.json()).toMatchObject({ status, detail: expect.stringMatching(/\w+/) })
    }
    // a notification has no answer
    const told = await ask({ authorization }, { jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([told.status, await told.text()]).toEqual([202, ''])
  })
})
