import { afterEach, describe, expect, it } from 'vitest'
import {
  deleteChat,
  exportChat,
  readChatFile,
  readPrompt,
  restoreChat,
  takeOverRuns,
} from '@/lib/conversations'
import { newId } from '@/lib/events'
import { type McpServer, type ServedTool, startMcpServer } from '@/testing/machines/mcp-server'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import { callsIn, callsThenSays, givenTools, textIn } from '@/testing/worlds/tool-world'
import { MODEL, openPage } from '@/testing/worlds/turn-world'

onServedDatabase('the tools of a person’s servers', ({ name }) => {
  const world = givenTools(name, { RAMIFY_TOOL_MS: '2000' })
  const open: McpServer[] = []

  afterEach(async () => {
    for (const server of open.splice(0)) await server.close()
  })

  const echo: ServedTool = { name: 'echo', description: 'Says it back', run: ({ text }) => `echo ${text}` }

  /** Ada's server, with a name of its own. */
  const serve = async (tools: readonly ServedTool[], more: { token?: string; redirect?: string } = {}) => {
    const server = await startMcpServer({ tools, ...more })
    open.push(server)
    const called = `s${newId().slice(-8)}`
    const given = { id: newId(), name: called, url: server.url, token: more.token }
    await world.services.toolServers.add('ada', given)
    return { server, called, id: given.id }
  }

  it('given a server, then its tools are listed with its name before theirs, and ask first unless told otherwise', async () => {
    const { called } = await serve([echo, { name: 'a/b', run: () => '' }], { token: 'a-secret-token' })
    const { tools, servers } = await world.services.tools.offered('ada')
    const own = tools.filter(({ server }) => server?.name === called)
    expect(own).toMatchObject([
      { name: `${called}__echo`, title: 'echo', description: 'Says it back', approval: 'ask' },
      // providers take no slash; the hash keeps it apart from a_b
      { name: expect.stringMatching(/^s\w+__a_b_[0-9a-f]{8}$/) },
    ])
    expect(servers.find(({ server }) => server.name === called)?.problem).toBeUndefined()
    expect(await world.services.tools.offered('bob')).toMatchObject({ servers: [] })
  })

  it('given its tool is switched on, when the model calls it, then its answer is a part of the reply, hostile markup and all', async () => {
    const { called, server } = await serve([{ ...echo, run: () => '<img src=x onerror=alert(1)>' }])
    const chatId = await world.begin({ [`${called}__echo`]: 'always' })
    world.world.answer = callsThenSays({ name: `${called}__echo`, input: { text: 'hi' } })
    const { last } = await world.say({ chatId, text: 'Go' })
    expect(callsIn(last)).toMatchObject([
      { type: 'dynamic-tool', state: 'output-available', output: '<img src=x onerror=alert(1)>' },
    ])
    expect(server.calls).toEqual(['echo'])
  })

  it('given tools that fail, never answer, or say a megabyte, then each is told in words, and the reply goes on', async () => {
    const { called } = await serve([
      {
        name: 'fail',
        run: () => {
          throw new Error('No such city')
        },
      },
      { name: 'hang', run: () => new Promise(() => undefined) },
      { name: 'long', run: () => 'x'.repeat(1_000_000) },
    ])
    const names = ['fail', 'hang', 'long'].map((tool) => `${called}__${tool}`)
    const chatId = await world.begin(Object.fromEntries(names.map((tool) => [tool, 'always' as const])))
    world.world.answer = callsThenSays(...names.map((tool) => ({ name: tool, input: {}, id: tool })))
    const { last } = await world.say({ chatId, text: 'Go' })

    const [failed, hung, long] = callsIn(last)
    expect(failed).toMatchObject({ state: 'output-error', errorText: 'No such city' })
    const late = 'The tool did not answer within 2 seconds.'
    expect(hung).toMatchObject({ state: 'output-error', errorText: late })
    const said = (long?.state === 'output-available' && String(long.output)) || ''
    expect(said.length).toBeLessThan(263_000)
    expect(said).toMatch(/had 1,000,000 characters, of which the first 262,144 are kept\.\]$/)
    expect(textIn(last)).toContain('No such city')
  })

  it('given a server that redirects elsewhere, then it is not followed, and its person reads so', async () => {
    const inside = await startMcpServer({ tools: [echo] })
    open.push(inside)
    const { called } = await serve([], { redirect: inside.url })
    const { servers } = await world.services.tools.offered('ada')
    const { problem } = servers.find(({ server }) => server.name === called) ?? {}
    const message = `${called} redirects to another address, which is not followed.`
    expect(problem).toMatchObject({ code: 'server_unreachable', message })
    expect(inside.calls).toEqual([])
  })

  it('given a server that is gone when a reply begins, then the reply goes on without its tools and says so', async () => {
    const { called, server } = await serve([echo])
    const chatId = await world.begin({
      [`${called}__echo`]: 'always',
      calculator: 'always',
      gone__away: 'always',
    })
    await server.close()
    open.length = 0
    world.world.answer = () => 'Noted.'
    const { last } = await world.say({ chatId, text: 'Go' })
    expect(last.metadata).toMatchObject({
      notices: [
        `${called} could not be reached. Its tools were not offered.`,
        'Not offered, because it is no longer there: gone__away.',
      ],
    })
    const asked = world.world.provider.requests.at(-1)?.tools
    expect(asked?.map((tool) => tool.function.name)).toEqual(['calculator'])
    const { tools } = await readPrompt(world.services.ports, { ownerId: 'ada', chatId })
    expect(tools.map((tool) => tool.name)).toEqual(['calculator'])
  })

  it('given a server with 1,000 tools, then all are listed, and no more than 128 are switched on', async () => {
    const tools = Array.from({ length: 1000 }, (_, at) => ({ ...echo, name: `t${at}` }))
    const { called } = await serve(tools)
    const { tools: offered } = await world.services.tools.offered('ada')
    const listed = offered.filter(({ server }) => server?.name === called)
    expect(listed).toHaveLength(1000)
    const on = listed.slice(0, 128).map((tool) => [tool.name, 'ask' as const])
    const chatId = await world.begin(Object.fromEntries(on))
    await world.say({ chatId, text: 'Go' })
    expect(world.world.provider.requests.at(-1)?.tools).toHaveLength(128)
  })

  it('given a reply that waits for an answer, when another process goes on with it, then it has the same tools and answers', async () => {
    const { called, server } = await serve([echo])
    const chatId = await world.begin({ [`${called}__echo`]: 'ask' })
    world.world.answer = callsThenSays({ name: `${called}__echo`, input: { text: 'hi' } })
    const { last, branchId } = await world.say({ chatId, text: 'Go' })
    const answers = callsIn(last).map(({ approval }) => ({ approvalId: approval?.id ?? '', approved: true }))
    // a holder of the run that died at once left this
    const run = { runId: newId(), branchId, replyTo: last.id, replyId: newId(), model: MODEL }
    await world.services.store.commit({
      chatId,
      ownerId: 'ada',
      at: Date.now(),
      steps: [{ kind: 'queue-run', ...run, answers }],
    })
    const there = await world.world.process({ RAMIFY_PRIVATE_ADDRESSES: 'on' })
    await (await takeOverRuns(there.ports)).ended

    const reply = await there.ports.reads.message(chatId, 'ada', run.replyId)
    expect(reply?.message.data).toMatchObject({
      parts: expect.arrayContaining([
        expect.objectContaining({ state: 'output-available', output: 'echo hi' }),
      ]),
    })
    expect(server.calls).toEqual(['echo'])
  })

  describe('given the file of a chat whose tools ran without asking', () => {
    const textOf = async (chatId: string) => {
      let text = ''
      const { content: pieces } = await exportChat(world.services.ports, {
        ownerId: 'ada',
        chatId,
        format: 'json',
      })
      for await (const piece of pieces) text += piece
      return text
    }
    const restore = async (text: string) =>
      restoreChat(world.services.ports, { ownerId: 'ada', file: await readChatFile([Buffer.from(text)]) })
    const remove = (chatId: string) => deleteChat(world.services.ports, { ownerId: 'ada', chatId })
    const raised = async () => {
      const { called, server } = await serve([echo])
      const tool = `${called}__echo`
      const chatId = await world.begin({ [tool]: 'always' })
      return { tool, server, chatId, text: await textOf(chatId) }
    }

    it('when it is restored, then its tools ask first, and the context says so until its person allows one', async () => {
      const { tool, server, chatId, text } = await raised()
      await remove(chatId)
      expect(await restore(text)).toMatchObject({ outcome: 'restored', lowered: true })
      expect(await world.context(chatId)).toMatchObject({ tools: { [tool]: 'ask' }, tools_lowered: true })
      world.world.answer = callsThenSays({ name: tool, input: { text: 'hi' } })
      const { last } = await world.say({ chatId, text: 'Go' })
      expect(callsIn(last)).toMatchObject([{ state: 'approval-requested' }])
      expect(server.calls).toEqual([])
      // neither does an undo of what the file tells of
      await world.change(chatId, { tools: { [tool]: 'always' } })
      expect(await world.context(chatId)).not.toHaveProperty('tools_lowered')
      await world.say({ chatId, text: 'Go on' })
      expect(server.calls).toEqual(['echo'])
    })

    it('when it is restored again, then nothing is new, and what its person has allowed here stays', async () => {
      const { tool, chatId, text } = await raised()
      expect(await restore(text)).toMatchObject({ outcome: 'unchanged', lowered: false })
      expect((await world.context(chatId)).tools).toEqual({ [tool]: 'always' })
      await remove(chatId)
      await restore(text)
      const lowered = await textOf(chatId)
      expect(await restore(text)).toMatchObject({ outcome: 'unchanged', lowered: false })
      await remove(chatId)
      expect(await restore(lowered)).toMatchObject({ outcome: 'restored', lowered: false })
      expect(await textOf(chatId)).toBe(lowered)
    })

    it('when a person here has switched its tools off, then it is a chat of its own, whose tools ask', async () => {
      const { tool, chatId } = await raised()
      await world.change(chatId, { tools: {} })
      await world.change(chatId, { tools: { [tool]: 'always' } })
      const text = await textOf(chatId)
      await remove(chatId)
      const older = await world.begin({})
      const stranger = text.replaceAll(chatId, older)
      const copy = await restore(stranger)
      expect(copy).toMatchObject({ outcome: 'copied', lowered: true })
      expect((await world.context(copy.chatId)).tools).toEqual({ [tool]: 'ask' })
      expect((await world.context(older)).tools).toEqual({})
    })
  })

  it.each([
    ['a reply', 'of a call above it that waits', ['assistant', 'assistant', 'approval-requested']],
    ['a call', 'of itself, as a message of the person’s', ['user', 'assistant', 'approval-responded']],
    ['a call', 'of itself, above a message that is not sent', ['user', 'system', 'approval-responded']],
  ] as const)(
    'given a message from elsewhere, when %s says %s that it was allowed, then another reply calls nothing',
    async (_what, _of, [name, role, state]) => {
      const { called, server } = await serve([echo])
      const tool = `${called}__echo`
      const chatId = await world.begin({ [tool]: 'ask' })
      const page = await openPage(world.services, chatId)
      const allowed = { id: 'may', approved: true }
      const call = { type: 'dynamic-tool', toolName: tool, toolCallId: 'c', input: { text: 'hi' } }
      const waiting = { ...call, state, approval: state === 'approval-requested' ? { id: 'may' } : allowed }
      const done = { ...call, state: 'output-available', output: 'hi', approval: allowed }
      const from = (name: string, role: string, parts: object[]) => {
        const id = newId()
        return { id, name, data: { id, role, parts }, preview: '', createdAt: 1 }
      }
      const [text, last] = [{ type: 'text', text: 'Go' }, name === role ? done : waiting]
      const below = from(name, role, [role === 'system' ? text : last])
      const above = role === name || role === 'system' ? [from('assistant', 'assistant', [waiting])] : []
      const messages = [...above, below]
      const to = { branchId: page.branchId, expectedHead: page.window.messages.at(-1)?.id ?? null }
      await world.services.store.commit({
        chatId,
        ownerId: 'ada',
        at: 1,
        steps: [{ kind: 'append', ...to, messages }],
      })
      world.world.answer = () => 'Noted.'
      const again = world.say({ chatId, trigger: 'regenerate-message', messageId: below.id })
      const [end] = await Promise.allSettled([again])
      expect(server.calls).toEqual([])
      const refusal = end.status === 'rejected' && String(end.reason)
      if (name === role) expect(refusal).toContain('answered elsewhere')
    },
  )
})
