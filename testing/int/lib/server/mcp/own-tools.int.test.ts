// An agent works on the conversation that it is in: it knows nothing but the tools.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { AssistantModelMessage, ModelMessage } from 'ai'
import { expect, it } from 'vitest'
import { ownConversation } from '@/lib/conversations'
import { answeredChain } from '@/lib/gateway/steered-call'
import { answerMcp } from '@/lib/server/mcp/endpoint'
import { answering, assistant, replyOf, ScriptedAgent, user } from '@/testing/worlds/agent-world'
import { type Agent, openMcpWorld } from '@/testing/worlds/mcp-world'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import { useWorld } from '@/testing/worlds/use-world'

/** A reply that calls a tool of Ramify, as a client names it. */
const callingTool = (id: string, tool: string, input: object = {}): AssistantModelMessage => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: id, toolName: `mcp__ramify__${tool}`, input }],
})

onServedDatabase('an agent and its own conversation', ({ name }) => {
  const { world, tasks: running } = useWorld(() => openMcpWorld(name, answerMcp))

  /** A program with one key for its model and for its tools. */
  const program = async (ownerId: string) => {
    const tools = await world.agent({ ownerId })
    const holder = await world.services.apiKeys.holder(tools.key, 'here')
    const common = { ownerId, client: 'coder/2', keyId: holder?.keyId }
    let calls = 0
    return {
      tools,
      talk: () => new ScriptedAgent(world.services.ports, common),
      /** The agent's model calls a tool, the tool is carried out, and its answer is what the agent says next. */
      async use(agent: ScriptedAgent, tool: string, input: object = {}) {
        calls += 1
        const id = `${tool}-${calls}`
        const place = await agent.ask([], callingTool(id, tool, input))
        const result = await tools.call(tool, input)
        agent.messages.push(answering(id, result.text))
        return { ...result, place }
      },
    }
  }
  const said = (messages: ModelMessage[] | undefined) =>
    answeredChain(messages ?? []).map(({ content }) => (content as { text?: string }[])[0]?.text)
  const activeOf = async (tools: Agent, chat_id: string) =>
    (await tools.call('read_chat', { chat_id })).value.branches.find((one: { active: boolean }) => one.active)
      .name

  it('goes back to its bookmark and on from there, says what it learned, and leaves the reader where they are', async () => {
    const { tools, talk, use } = await program(await world.person())
    const agent = talk()
    await agent.ask(user('Make the tests pass'), 'I look around.')
    agent.messages.push(user('Go on'))
    const marked = await use(agent, 'bookmark', { name: 'before the rewrite' })
    expect(marked.isError, marked.text).toBe(false)
    expect(marked.value).toMatchObject({ branch: 'main', bookmark: 'before the rewrite' })
    await agent.ask(user('Rewrite it'), 'All is broken.')
    const chat_id = marked.value.chat_id as string

    agent.messages.push(user('Hm'))
    const back = await use(agent, 'rewind', { to: 'before the rewrite', text: 'A rewrite breaks all.' })
    expect(back.value).toMatchObject({ chat_id, from_message_id: marked.value.message_id, moved: 'agent' })
    expect(await activeOf(tools, chat_id)).toBe('main')
    const begun = await agent.begin()
    const place = await begun.end(replyOf('I mend the one test.'))
    expect(place.branchId).toBe(back.value.branch_id)
    expect(said(begun.steered)).toEqual([
      ...['Make the tests pass', 'I look around.', 'Go on', 'A rewrite breaks all.'],
      expect.stringContaining('This conversation was moved'),
    ])
    agent.messages.push(assistant('I mend the one test.'))

    // and its own undo takes it back to where it was, since it has gone on
    agent.messages.push(user('Was that right?'))
    const undone = await use(agent, 'undo')
    expect(undone.isError, undone.text).toBe(false)
    const again = await agent.begin()
    expect(said(again.steered)).toContain('All is broken.')
    expect(said(again.steered)).not.toContain('I mend the one test.')
    await again.end(replyOf('Back.'))
    expect(await activeOf(tools, chat_id)).toBe('main')
  })

  it('undoes its bookmark, and a rewind that it has not gone on from', async () => {
    const { tools, talk, use } = await program(await world.person())
    const agent = talk()
    const first = await agent.ask(user('Begin'), 'Begun.')
    const { value } = await use(agent, 'bookmark', { name: 'here' })
    expect((await use(agent, 'undo')).text).toContain('here')
    const chat_id = value.chat_id as string
    expect((await tools.call('read_chat', { chat_id })).value.checkpoints).toEqual([])

    const back = await use(agent, 'rewind', { to: first.messageId })
    expect(back.value).toMatchObject({ from_message_id: first.messageId, moved: 'agent' })
    // the same again opens no second branch
    expect((await tools.call('rewind', { chat_id, message_id: first.messageId })).value).toEqual(back.value)
    expect((await tools.call('undo', { chat_id })).isError).toBe(false)
    const begun = await agent.begin()
    expect(begun.steered).toBeUndefined()
    await begun.end(replyOf('As before.'))
  })

  it('recalls its bookmarks, its last messages, and what was said where it has left', async () => {
    const { talk, use } = await program(await world.person())
    const agent = talk()
    const first = await agent.ask(user('Find the leak'), 'It may be the cache.')
    await agent.ask(user('Look there'), 'The elephant cache is innocent.')
    await use(agent, 'bookmark', { name: 'innocent' })
    await use(agent, 'rewind', { to: first.messageId })
    await agent.ask([], 'It may be the socket.')
    await world.services.chores['indexing for search']()

    agent.messages.push(user('What of the elephant?'))
    const found = await use(agent, 'recall', { query: 'elephant cache' })
    expect(found.value).toMatchObject({
      hits: [
        { role: 'assistant', branch: 'main', left: true, snippet: expect.stringContaining('**elephant**') },
      ],
      bookmarks: [{ name: 'innocent', left: true }],
      branches: [{ name: 'main' }],
    })
    expect(found.text).toContain('innocent')
    const texts = found.value.messages.map(({ text }: { text: string }) => text)
    expect(texts).toEqual(expect.arrayContaining(['It may be the cache.', 'It may be the socket.']))
    expect(texts).not.toContain('The elephant cache is innocent.')
    const ids = found.value.messages.map(({ id }: { id: string }) => id)
    expect(ids).toContain(first.messageId)
  })

  it('is the one whose model calls the tool, of two with one key at once; else both are named and nothing is moved', async () => {
    const { tools, talk, use } = await program(await world.person())
    const [left, right] = [talk(), talk()]
    const one = await left.ask(user('Left work'), 'Left.')
    const other = await right.ask(user('Right work'), 'Right.')

    const refused = await tools.call('rewind', { to: one.messageId })
    expect(refused.isError).toBe(true)
    expect(refused.text).toContain('(several_conversations)')
    for (const words of ['Left work', 'Right work', one.chatId, other.chatId, 'coder/2'])
      expect(refused.text).toContain(words)

    await right.ask(user('More'), 'More right.')
    left.messages.push(user('Mark it'))
    const marked = await use(left, 'bookmark', { name: 'left' })
    expect(marked.value).toMatchObject({ chat_id: one.chatId, message_id: marked.place.messageId })
    // both call the same tool, and their inputs differ
    await left.ask(user('Recall'), callingTool('a', 'recall', { limit: 1 }))
    await right.ask(user('Recall'), callingTool('b', 'recall', { limit: 2 }))
    expect((await tools.call('recall', { limit: 1 })).value.chat_id).toBe(one.chatId)
    expect((await tools.call('recall', { limit: 2 })).value.chat_id).toBe(other.chatId)
    expect((await tools.call('recall', { limit: 3 })).text).toContain('(several_conversations)')
    // what is named is meant
    const named = await tools.call('rewind', { chat_id: other.chatId, to: other.messageId })
    expect(named.value).toMatchObject({ chat_id: other.chatId, moved: 'agent' })
  })

  it('is none without a call through Ramify, and never that of another person', async () => {
    const stranger = await program(await world.person())
    const theirs = await stranger.talk().ask(user('Secret'), 'Hidden.')
    const { tools, talk } = await program(await world.person())
    for (const [tool, input] of [
      ['bookmark', { name: 'mine' }],
      ['recall', {}],
      ['undo', {}],
      ['rewind', { to: theirs.messageId }],
    ] as const) {
      expect((await tools.call(tool, input)).text, tool).toContain('(no_conversation)')
      const named = await tools.call(tool, { ...input, chat_id: theirs.chatId })
      expect(named.text, tool).toContain('Chat not found')
    }
    const mine = await talk().ask(user('Mine'), 'Own.')
    expect((await tools.call('rewind', { to: theirs.messageId })).text).toContain('(not_found)')
    expect((await tools.call('rewind', {})).text).toContain('Say with to')
    expect((await tools.call('bookmark', { name: 'mine' })).value.chat_id).toBe(mine.chatId)
  })

  it('is found by another key of the same person, by the headers of the request, and when its reply is stored later', async () => {
    const ownerId = await world.person()
    const { talk } = await program(ownerId)
    const [one, other] = [talk(), talk()]
    const left = await one.ask(user('Left work'), 'Left.')
    await other.ask(user('Right work'), 'Right.')
    const { key } = await world.agent({ ownerId })
    const headers = { authorization: `Bearer ${key}`, 'x-ramify-chat': left.chatId }
    const client = new Client({ name: 'pinned', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(world.url, { requestInit: { headers } }))
    const { structuredContent } = await client.callTool({ name: 'recall', arguments: {} })
    await client.close()
    expect(structuredContent).toMatchObject({ chat_id: left.chatId })

    other.messages.push(user('Mark it'))
    const begun = await other.begin()
    const found = await ownConversation(world.services.ports, {
      ownerId,
      tool: { name: 'bookmark', input: { name: 'late' } },
      stored: () => begun.end(replyOf(callingTool('late', 'bookmark', { name: 'late' }))),
    })
    expect(found).toMatchObject({ chatId: begun.place.chatId, messageId: begun.place.messageId })
  })

  it('asks several times, copies, asks again, and moves another agent', async () => {
    const { tools, talk } = await program(await world.person())
    world.answer = ({ messages }) => `Heard ${String(messages.at(-1)?.content)}`
    const sent = (await tools.call('send_message', { text: 'Which port?' })).value
    const { chat_id } = sent
    const fanned = await tools.call('fan_out', { chat_id, text: 'And why?', count: 2 })
    expect(fanned.value.branches, fanned.text).toHaveLength(2)
    expect((await tools.call('fan_out', { chat_id, text: 'x', message_id: 'y', count: 2 })).text).toContain(
      'Give one of text and message_id',
    )
    await Promise.all(running)

    const forked = (await tools.call('fork', { chat_id, message_id: sent.message_id, name: 'bare' })).value
    const picked = await tools.call('cherry_pick', { chat_id, branch: 'bare', message_ids: [sent.reply.id] })
    expect(picked.value, picked.text).toMatchObject({ branch: 'bare', branch_id: forked.branch_id })
    const replayed = await tools.call('replay', { chat_id, branch: 'bare', text: 'Which host?' })
    expect(replayed.value, replayed.text).toMatchObject({ chat_id, message_id: expect.any(String) })

    const agent = talk()
    const first = await agent.ask(user('Work'), 'Working.')
    await agent.ask(user('More'), 'Astray.')
    const { chatId } = first
    const steered = await tools.call('steer', {
      chat_id: chatId,
      branch: 'main',
      message_id: first.messageId,
      text: 'Stop there.',
    })
    expect(steered.value, steered.text).toMatchObject({ chat_id: chatId, to_branch_id: expect.any(String) })
    expect(await activeOf(tools, chatId)).toBe('main')
    agent.messages.push(user('Next'))
    const begun = await agent.begin()
    expect(said(begun.steered).slice(0, 3)).toEqual(['Work', 'Working.', 'Stop there.'])
    await begun.end(replyOf('Stopped.'))
    const nothing = await tools.call('steer', { chat_id, branch: 'bare', to: 'main' })
    expect(nothing.text).toContain('No agent writes on this branch')
    world.answer = () => 'Noted.'
  })
})
