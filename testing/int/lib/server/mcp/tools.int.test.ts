import { expect, it } from 'vitest'
import { answerMcp } from '@/lib/server/mcp/endpoint'
import { type Agent, openMcpWorld } from '@/testing/worlds/mcp-world'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import { useWorld } from '@/testing/worlds/use-world'

onServedDatabase('the tools of MCP', ({ name }) => {
  const { world, tasks: running } = useWorld(() => openMcpWorld(name, answerMcp))

  /** A chat that an agent has begun: its id, and the messages of its first turn. */
  const begun = async (agent: Agent, text = 'Three days in Lisbon, please.') => {
    const { value, text: said, isError } = await agent.call('send_message', { text })
    expect(isError, said).toBe(false)
    return { chat_id: value.chat_id as string, reply: value.reply.id as string }
  }
  const textsOf = (page: { messages: { text: string }[] }) => page.messages.map(({ text }) => text)

  it('given an agent, when it lists the tools, then each has its schemas and says what it does', async () => {
    const { client } = await world.agent()
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual([
      ...['list_chats', 'search', 'read_chat', 'read_branch', 'compare'],
      ...['checkpoint', 'fork', 'send_message', 'merge', 'recall', 'bookmark', 'rewind', 'undo'],
      ...['fan_out', 'cherry_pick', 'replay', 'leave_out', 'steer'],
    ])
    for (const tool of tools) {
      expect(tool.description, tool.name).toMatch(/\w+/)
      expect(tool.inputSchema, tool.name).toMatchObject({ type: 'object', additionalProperties: false })
      expect(tool.outputSchema, tool.name).toMatchObject({ type: 'object' })
    }
    expect(client.getInstructions()).toContain('fork')
  })

  it('given a message without a chat, when it is sent, then a chat begins, and it is listed, found and read', async () => {
    const agent = await world.agent()
    world.answer = () => 'Day one is for Alfama.'
    const sent = await agent.call('send_message', { text: 'Three days in Lisbon, please.' })
    expect(sent.value).toMatchObject({
      status: 'completed',
      branch: 'main',
      failure: null,
      reply: { role: 'assistant', text: 'Day one is for Alfama.', status: 'done', rest_cursor: null },
    })
    expect(sent.text).toContain('Day one is for Alfama.')
    const { chat_id } = sent.value

    const listed = await agent.call('list_chats')
    expect(listed.value).toMatchObject({
      chats: [{ chat_id, uri: `ramify://chats/${chat_id}`, message_count: 2, branch_count: 1 }],
      total: 1,
      next_cursor: null,
    })
    expect(listed.text).toContain(chat_id)
    expect((await agent.call('list_chats', { title: 'nowhere' })).value.chats).toEqual([])

    await world.services.chores['indexing for search']()
    const found = await agent.call('search', { query: 'alfama' })
    expect(found.value).toMatchObject({
      hits: [{ chat_id, message_id: sent.value.reply.id, role: 'assistant', branch: { name: 'main' } }],
      next_cursor: null,
    })
    expect(found.value.hits[0].snippet).toContain('**Alfama**')
    expect((await agent.call('search', { query: 'alfama', chat_id, role: 'user' })).value.hits).toEqual([])

    const outline = await agent.call('read_chat', { chat_id })
    expect(outline.value).toMatchObject({
      chat: { chat_id },
      branches: [{ name: 'main', head_message_id: sent.value.reply.id, active: true, archived: false }],
      checkpoints: [],
      next_cursor: null,
    })

    const read = await agent.call('read_branch', { chat_id })
    expect(read.value).toMatchObject({ status: 'idle', position: 0, next_cursor: null })
    expect(textsOf(read.value)).toEqual(['Three days in Lisbon, please.', 'Day one is for Alfama.'])
    expect(read.value.page_url).toBe(`${world.url.origin}/c/${chat_id}?branch=main`)
    for (const words of ['Three days in Lisbon, please.', 'Day one is for Alfama.', sent.value.reply.id])
      expect(read.text).toContain(words)
  })

  it('given a fork, when both branches go on, then they are compared and merged, and the chat stays where it was', async () => {
    const agent = await world.agent()
    world.answer = () => 'By tram.'
    const { chat_id, reply } = await begun(agent)
    const forked = await agent.call('fork', { chat_id, message_id: reply, name: 'porto' })
    expect(forked.value).toMatchObject({ chat_id, branch: 'porto', from_message_id: reply })
    const outline = (await agent.call('read_chat', { chat_id })).value
    expect(outline.branches).toMatchObject([
      { name: 'porto', active: false },
      { name: 'main', active: true },
    ])

    world.answer = () => 'Porto is three hours away.'
    await agent.call('send_message', { chat_id, branch: 'porto', text: 'And Porto instead?' })
    world.answer = () => 'Sintra takes a day.'
    await agent.call('send_message', { chat_id, text: 'And Sintra?' })

    const compared = await agent.call('compare', { chat_id, left: 'main', right: 'porto' })
    expect(compared.value).toMatchObject({
      chat_id,
      common_messages: 2,
      context_differences: [],
      left: { branch: { name: 'main' }, message_count: 2 },
      right: { branch: { name: 'porto' }, message_count: 2 },
    })
    expect(textsOf(compared.value.right)).toEqual(['And Porto instead?', 'Porto is three hours away.'])
    expect(compared.text).toContain('Porto is three hours away.')

    world.answer = () => 'Noted.'
    const sides = { chat_id, source: 'porto', target: 'main' }
    const preview = await agent.call('merge', { ...sides, preview: true })
    expect(preview.value).toMatchObject({ merged: false, message_id: null, message_count: 2 })
    expect((await agent.call('read_branch', { chat_id })).value.messages).toHaveLength(4)

    const once = { ...sides, brief: 'Porto is three hours by train.', idempotency_key: 'merge-1' }
    const merged = await agent.call('merge', once)
    expect(merged.value).toMatchObject({ merged: true, message_id: expect.any(String) })
    expect((await agent.call('merge', once)).value).toEqual(merged.value)
    const after = (await agent.call('read_branch', { chat_id })).value
    expect(after.messages).toHaveLength(5)
    expect(after.messages.at(-1)).toMatchObject({ id: merged.value.message_id })
    expect(after.messages.at(-1).text).toContain('Porto is three hours by train.')

    const again = await agent.call('merge', { ...sides, brief: 'Again.' })
    expect(again.isError).toBe(true)
    expect(again.text).toContain('(nothing_to_merge)')
  })

  it('given a checkpoint, when the agent rewinds to it, then the chat opens there, and nothing is lost', async () => {
    const agent = await world.agent()
    const { chat_id, reply } = await begun(agent)
    const saved = await agent.call('checkpoint', { chat_id, name: ' before the museum ' })
    expect(saved.value).toEqual({ chat_id, checkpoint: 'before the museum', message_id: reply })
    await agent.call('send_message', { chat_id, text: 'Add a museum.' })

    const back = await agent.call('rewind', { chat_id, message_id: reply })
    expect(back.value).toMatchObject({ chat_id, branch: 'main-v2', from_message_id: reply })
    // given the same again, the empty branch is used again
    expect((await agent.call('rewind', { chat_id, message_id: reply })).value).toEqual(back.value)
    const outline = (await agent.call('read_chat', { chat_id })).value
    expect(outline.checkpoints).toEqual([{ name: 'before the museum', message_id: reply }])
    expect(outline.branches).toMatchObject([
      { name: 'main-v2', active: true, head_message_id: reply },
      { name: 'main', active: false },
    ])
    expect((await agent.call('read_branch', { chat_id, branch: 'main' })).value.messages).toHaveLength(4)
    expect((await agent.call('read_branch', { chat_id })).value.messages).toHaveLength(2)
  })

  it('given a key for a call, when it comes twice, then it is done once; with another text it is refused', async () => {
    const agent = await world.agent()
    const first = { text: 'Begin.', idempotency_key: 'begin-1' }
    const one = (await agent.call('send_message', first)).value
    const two = (await agent.call('send_message', first)).value
    expect(two).toEqual(one)
    expect((await agent.call('list_chats')).value.total).toBe(1)
    const { chat_id } = one
    const forks = [1, 2].map(() => agent.call('fork', { chat_id, idempotency_key: 'fork-1' }))
    const [left, right] = await Promise.all(forks)
    expect(left?.value.branch_id).toBe(right?.value.branch_id)
    const other = await agent.call('send_message', { ...first, chat_id, text: 'Something else.' })
    expect(other.isError).toBe(true)
    expect(other.text).toContain('(idempotency_mismatch)')
    const late = { chat_id, text: 'Go on.', expected_head_message_id: one.message_id }
    const moved = await agent.call('send_message', late)
    expect(moved.text).toContain('(head_moved)')
    expect((await agent.call('read_branch', { chat_id })).value.messages).toHaveLength(2)
  })

  it('given a slow reply, when the agent waits no longer, then it is told so, and reads the reply later', async () => {
    const agent = await world.agent()
    const { promise: free, resolve: go } = Promise.withResolvers<void>()
    world.answer = () => ({ text: 'Slow words come.', pace: () => free })
    const asked = { text: 'Take your time.', wait_seconds: 0 }
    const sent = await agent.call('send_message', asked, { timeout: 10_000 })
    expect(sent.value).toMatchObject({ status: 'running', reply: null, branch: 'main' })
    expect(sent.text).toContain('read_branch')
    const { chat_id } = sent.value
    expect((await agent.call('read_branch', { chat_id })).value.status).toBe('running')
    const refused = await agent.call('send_message', { chat_id, text: 'And now?' })
    expect(refused.text).toContain('(reply_in_progress)')
    go()
    await Promise.all(running)
    const read = (await agent.call('read_branch', { chat_id })).value
    expect(read.status).toBe('idle')
    expect(textsOf(read)).toEqual(['Take your time.', 'Slow words come.'])
  })

  it('given an agent that asks for it, when a reply is written, then it is told how far that is', async () => {
    const agent = await world.agent()
    world.answer = () => 'One two three four.'
    const told: { progress: number; message?: string }[] = []
    const onprogress = (one: (typeof told)[number]) => void told.push(one)
    const sent = await agent.call('send_message', { text: 'Count.' }, { onprogress })
    expect(sent.value.status).toBe('completed')
    expect(told[0]).toMatchObject({ progress: 1, message: expect.stringContaining('letters') })
  })

  it('given a provider that fails, then the reply is failed, in the words of the page', async () => {
    const agent = await world.agent()
    world.answer = () => ({ error: { status: 400, message: 'No.', code: 'context_length_exceeded' } })
    const sent = await agent.call('send_message', { text: 'Anything.' })
    expect(sent.isError).toBe(false)
    expect(sent.value).toMatchObject({ status: 'failed', reply: null, failure: expect.stringMatching(/\w+/) })
    expect((await agent.call('read_branch', { chat_id: sent.value.chat_id })).value.status).toBe('failed')
    world.answer = () => 'Noted.'
  })

  it('given long messages, when a branch is read, then pages and cuts lose nothing', async () => {
    const agent = await world.agent()
    const long = Array.from({ length: 60_000 }, (_, at) => (at % 7 === 6 ? '🌍' : 'abcdef'[at % 7]))
      .join('')
      .slice(0, 90_000)
    world.answer = () => 'Short.'
    const { chat_id } = await begun(agent, long)
    for (const text of ['Two.', 'Three.']) await agent.call('send_message', { chat_id, text })
    const read: { text: string; rest_cursor: string | null }[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { value } = await agent.call('read_branch', { chat_id, limit: 2, ...(cursor && { cursor }) })
      read.unshift(...value.messages)
      cursor = value.next_cursor as string | null
    }
    const [first, ...others] = read
    expect(others.map(({ text }) => text)).toEqual(['Short.', 'Two.', 'Short.', 'Three.', 'Short.'])
    let whole = first?.text ?? ''
    for (let cursor = first?.rest_cursor; cursor; ) {
      const { value } = await agent.call('read_branch', { chat_id, cursor })
      expect(value.messages).toHaveLength(1)
      whole += value.messages[0].text
      cursor = value.messages[0].rest_cursor
    }
    expect(whole === long).toBe(true)
  })

  it('given a message in the middle, when a branch is read until it, then it is the last; of another branch it is not found', async () => {
    const agent = await world.agent()
    const { chat_id, reply } = await begun(agent)
    await agent.call('fork', { chat_id, message_id: reply, name: 'other' })
    const sent = (await agent.call('send_message', { chat_id, text: 'Only here.' })).value
    const until = (await agent.call('read_branch', { chat_id, until_message_id: reply })).value
    expect(until.messages.map(({ id }: { id: string }) => id).at(-1)).toBe(reply)
    const elsewhere = { chat_id, branch: 'other', until_message_id: sent.message_id }
    expect((await agent.call('read_branch', elsewhere)).text).toContain('Message not found')
  })

  it('given forty calls at once, then each gets its own answer', async () => {
    const agent = await world.agent()
    world.answer = ({ messages }) => `Heard ${String(messages.at(-1)?.content)}`
    const { chat_id } = await begun(agent, 'number 0')
    const calls = Array.from({ length: 40 }, async (_, at) => {
      if (at % 2 === 0) return (await agent.call('read_branch', { chat_id })).value.messages.length === 2
      const { value } = await agent.call('send_message', { text: `number ${at}` })
      return value.reply.text === `Heard number ${at}`
    })
    expect(await Promise.all(calls)).toEqual(calls.map(() => true))
    expect((await agent.call('list_chats')).value.total).toBe(21)
    world.answer = () => 'Noted.'
  })
})
