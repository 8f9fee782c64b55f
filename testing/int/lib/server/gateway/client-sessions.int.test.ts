// Recorded calls of real clients, played through the gateway: one chat, and what hangs where.

import { expect, it } from 'vitest'
import { type ClientCall, clientCalls } from '@/testing/fixtures/client-calls'
import { type GivenReply, messagesWhole, responsesWhole } from '@/testing/fixtures/provider-replies'
import { tasksAfter } from '@/testing/worlds/framework'
import { chainOf, useGateway } from '@/testing/worlds/gateway-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const tasks = tasksAfter()

/** Models that the gateway knows, by the address. */
const models: Record<string, string> = { messages: 'claude-sonnet-5-5', responses: 'gpt-4.1' }

/** An answer of a provider, by the address. */
const answers: Record<string, (reply: GivenReply) => string[]> = {
  messages: messagesWhole,
  responses: responsesWhole,
}

onOneDatabase('recorded calls of clients', ({ name }) => {
  const gateway = useGateway(name)
  const { given } = gateway

  /** Plays a call, and waits until its reply is stored. */
  const play = async (
    { path, headers, body }: ClientCall,
    text: string,
    tool?: NonNullable<GivenReply['calls']>[number],
  ) => {
    given.answer = () => ({ pieces: answers[path]?.({ text, calls: tool ? [tool] : [] }) ?? [] })
    const response = await gateway.post(path, { ...body, model: models[path] }, headers)
    expect(response.status).toBe(200)
    await response.text()
    await Promise.all(tasks)
    const [chat, message, branch] = ['chat', 'message', 'branch'].map(
      (part) => response.headers.get(`x-ramify-${part}`) ?? '',
    )
    return { chat: chat ?? '', message: message ?? '', branch: branch ?? '' }
  }
  const chain = ({ chat, message }: { chat: string; message: string }) =>
    chainOf(gateway.world.services, chat, message)
  const chats = async () => {
    const { chats: listed } = await gateway.world.services.ports.reads.chats(gateway.person.id, {
      sort: 'updated',
      limit: 50,
    })
    return listed.map(({ title }) => title)
  }
  const home = '/home/ada/work'

  it('of Claude Code are one chat, with the sub-agent at its tool call, and what /compact replaced', async () => {
    const calls = clientCalls.claudeCode
    const read = { id: 'toolu_0_2', name: 'Read', input: { file_path: `${home}/add.mjs` } }
    const task = 'SUBTASK please read notes.txt and say what it says'
    const input = { description: 'Look at notes', prompt: task, subagent_type: 'general-purpose' }
    const first = await play(calls.first, 'Step 0.', read)
    const asking = await play(calls.step, 'Step 1.', { id: 'toolu_1_3', name: 'Agent', input })
    const notes = { id: 'toolu_0_4', name: 'Read', input: { file_path: `${home}/notes.txt` } }
    await play(calls['sub-agent'], 'Step 0.', notes)
    const sub = await play(calls['sub-agent step'], 'The notes say hello.')
    const cat = { command: 'cat nothere.txt', description: 'Show a file' }
    const after = await play(calls['after the sub-agent'], 'Step 2.', {
      id: 'toolu_2_6',
      name: 'Bash',
      input: cat,
    })
    const compact = await play(calls.compact, 'All done.')
    const compacted = await play(calls.compacted, 'Tested.')

    expect(await chats()).toEqual(['Fix the bug in add.mjs'])
    expect([asking.branch, after.branch, compact.branch]).toEqual(Array(3).fill(first.branch))
    expect(new Set([first.branch, sub.branch, compacted.branch]).size).toBe(3)
    const above = await chain(asking)
    expect((await chain(sub)).slice(0, above.length)).toEqual(above)
    const { store } = gateway.world.services.ports
    const events = await store.getEvents(first.chat)
    const compactions = events.filter(({ type }) => type === 'ThreadCompacted')
    expect(compactions.map(({ payload }) => payload)).toMatchObject([{ source_thread_id: first.branch }])
  })

  it('of Claude Code stay one line when it fills in the defaults of a call that it sends back', async () => {
    const { first, step } = clientCalls.claudeCode
    const input = { file_path: `${home}/add.mjs`, old_string: 'a', new_string: 'b' }
    const schema = { type: 'object', properties: { replace_all: { type: 'boolean', default: false } } }
    const session = { ...first.headers, 'x-claude-code-session-id': 'session-with-defaults' }
    const tools = [{ name: 'Edit', input_schema: schema }]
    const begun = { ...first, headers: session, body: { ...first.body, tools } }
    const edit = await play(begun, 'I edit it.', { id: 'toolu_edit', name: 'Edit', input })
    const sent = { type: 'tool_use', id: 'toolu_edit', name: 'Edit', input: { replace_all: false, ...input } }
    const said = { role: 'assistant', content: [{ type: 'text', text: 'I edit it.' }, sent] }
    const result = { type: 'tool_result', tool_use_id: 'toolu_edit', content: 'Updated.' }
    const messages = [...(first.body.messages as object[]), said, { role: 'user', content: [result] }]
    const end = await play({ ...step, headers: session, body: { ...begun.body, messages } }, 'Done.')
    expect(end.branch).toBe(edit.branch)
    const above = await chain(edit)
    expect((await chain(end)).slice(0, above.length)).toEqual(above)
  })

  it('of OpenCode are one chat that has the title it was asked for, with the sub-agent at its tool call', async () => {
    const calls = clientCalls.opencode
    const titled = await play(calls.title, 'Adding that adds')
    const read = { id: 'call_0_2', name: 'read', input: { filePath: `${home}/add.mjs` } }
    const first = await play(calls.first, 'Step 0.', read)
    const task = 'SUBTASK please read notes.txt and say what it says'
    const input = { description: 'Look at notes', prompt: task, subagent_type: 'general' }
    const asking = await play(calls.step, 'Step 1.', { id: 'call_1_3', name: 'task', input })
    const notes = { id: 'call_0_4', name: 'read', input: { filePath: `${home}/notes.txt` } }
    await play(calls['sub-agent'], 'Step 0.', notes)
    const sub = await play(calls['sub-agent step'], 'The notes say hello.')
    const after = await play(calls['after the sub-agent'], 'All done.')

    expect(titled.chat).toBe('')
    expect(await chats()).toEqual(['Adding that adds'])
    expect(after.branch).toBe(first.branch)
    expect(sub.branch).not.toBe(first.branch)
    const above = await chain(asking)
    expect((await chain(sub)).slice(0, above.length)).toEqual(above)
  })

  it('of Codex are one chat called after the person, with the sub-agent and the compaction in it', async () => {
    const calls = clientCalls.codex
    const first = await play(calls.first, 'Step 0.')
    await play(calls.step, 'Step 1.')
    const sub = await play(calls['sub-agent'], 'Step 2.')
    const after = await play(calls['after the sub-agent'], 'Step 3.')
    await play(calls.compact, 'All done.')
    const compacted = await play(calls.compacted, 'Step 0.')

    expect(await chats()).toEqual(['Fix the bug in add.mjs'])
    expect(new Set([first, sub, after, compacted].map(({ chat }) => chat)).size).toBe(1)
    expect(sub.branch).not.toBe(after.branch)
    const events = await gateway.world.services.ports.store.getEvents(first.chat)
    expect(events.filter(({ type }) => type === 'ThreadCompacted')).toHaveLength(1)
  })

  it('of a stranger to the session find nothing of it', async () => {
    const calls = clientCalls.claudeCode
    const mine = await play(calls.first, 'Step 0.')
    const { key } = await gateway.world.person()
    const headers = { ...calls['sub-agent'].headers, authorization: `Bearer ${key}` }
    const theirs = await play({ ...calls['sub-agent'], headers }, 'Looked.')

    expect(theirs.chat).not.toBe(mine.chat)
    expect((await chats()).length).toBe(1)
  })
})
