import { afterEach, expect, it } from 'vitest'
import { readPrompt, takeOverRuns } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { type McpServer, type ServedTool, startMcpServer } from '@/testing/machines/mcp-server'
import { onSharedDatabase } from '@/testing/worlds/open-stores'
import { callsIn, callsThenSays, givenTools, textIn } from '@/testing/worlds/tool-world'
import { MODEL } from '@/testing/worlds/turn-world'

onSharedDatabase('the tools of a person’s servers', ({ name }) => {
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
      ...{ chatId, ownerId: 'ada', at: Date.now() },
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
})
