import { expect, it } from 'vitest'
import { drawn, readAll, readZip } from '@/testing/worlds/exported-files'

const ID = '01a21c4b-871a-74a2-94a3-f69b0894c1a9'
const FORK = '01a21c4b-871a-74a2-94a3-f69b0894c1b0'
const lines = (values: readonly object[]) => values.map((value) => JSON.stringify(value)).join('\n')
const line = (type: string, payload: object) => ({ timestamp: '2026-03-14T09:00:00.000Z', type, payload })
const item = (payload: object) => line('response_item', payload)
const message = (role: string, text: string) =>
  item({
    type: 'message',
    role,
    content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
  })
const header = (id: string, more = {}) =>
  line('session_meta', { id, timestamp: '2026-03-14T09:00:00.000Z', cwd: '/home/ada/trips', ...more })

it('items are the conversation; events that say them again are not', async () => {
  const { source, chats } = await readAll(
    `rollout-2026-03-14T09-00-00-${ID}.jsonl`,
    lines([
      header(ID, { base_instructions: { text: 'You are Codex.' } }),
      message('developer', 'You are Codex.'),
      message('user', '<environment_context>\n  <cwd>/x</cwd>\n</environment_context>'),
      line('turn_context', { model: 'gpt-6.2-sol', cwd: '/x' }),
      message('user', 'mend it'),
      line('event_msg', { type: 'user_message', message: 'mend it' }),
      item({
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'Look first' }],
        encrypted_content: 'gAAAA',
      }),
      message('assistant', 'I look.'),
      item({ type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' }),
      item({ type: 'function_call_output', call_id: 'c1', output: 'a.ts' }),
      item({ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin', call_id: 'c2' }),
      item({
        type: 'custom_tool_call_output',
        call_id: 'c2',
        output: [{ type: 'input_text', text: 'Done' }],
      }),
      message('assistant', 'Mended.'),
      line('event_msg', { type: 'agent_message', message: 'Mended.' }),
    ]),
  )
  expect(source).toBe('codex')
  expect(chats[0]).toMatchObject({ id: ID, instructions: 'You are Codex.', tags: ['trips'], problems: [] })
  expect(chats[0]?.messages.map(({ isHidden }) => isHidden)).toEqual([true, false, false])
  expect(drawn(chats[0] as never).slice(1)).toEqual([
    '  user: mend it',
    '    assistant: (Look first) I look. shell! apply_patch! Mended.',
  ])
  expect(chats[0]?.messages[2]).toMatchObject({ model: 'gpt-6.2-sol' })
})

it('a file of the first versions has bare items', async () => {
  const { chats } = await readAll(
    `rollout-2025-05-07-${ID}.jsonl`,
    lines([
      { id: ID, timestamp: '2025-05-07T17:24:21.597Z', instructions: null },
      { record_type: 'state' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] },
    ]),
  )
  expect(chats[0]?.id).toBe(ID)
  expect(drawn(chats[0] as never)).toEqual(['user: hello', '  assistant: hi'])
})

it('turns that were taken back branch off, and a compaction goes on with its summary', async () => {
  const { chats } = await readAll(
    'rollout.jsonl',
    lines([
      header(ID),
      message('user', 'a'),
      message('assistant', 'b'),
      message('user', 'first try'),
      message('assistant', 'no'),
      line('event_msg', { type: 'thread_rolled_back', num_turns: 1 }),
      message('user', 'second try'),
      message('assistant', 'yes'),
      line('compacted', { message: 'In short: yes.', replacement_history: [] }),
      message('user', 'on'),
    ]),
  )
  expect(chats[0]?.problems).toEqual([])
  expect(drawn(chats[0] as never)).toEqual([
    ...['user: a', '  assistant: b', '    user: first try', '      assistant: no'],
    ...['    user: second try', '      assistant: yes', '        user: In short: yes.', '          user: on'],
  ])
})

it('a fork and a sub-agent, which have files of their own, are branches of the session', async () => {
  const begun = [message('user', 'a'), message('assistant', 'b')]
  const spawn = [
    item({ type: 'function_call', name: 'spawn_agent', arguments: '{"message":"look"}', call_id: 'c1' }),
    item({
      type: 'function_call_output',
      call_id: 'c1',
      output: '{"agent_id":"01a21c4b-871a-74a2-94a3-f69b0894c1c1"}',
    }),
  ]
  const agent = '01a21c4b-871a-74a2-94a3-f69b0894c1c1'
  const source = { subagent: { thread_spawn: { parent_thread_id: ID, depth: 1, agent_nickname: 'Ada' } } }
  const { chats } = await readZip({
    [`rollout-1-${FORK}.jsonl`]: lines([
      header(FORK, { forked_from_id: ID }),
      header(ID),
      ...begun,
      message('user', 'fork'),
    ]),
    [`rollout-2-${ID}.jsonl`]: lines([
      header(ID),
      ...begun,
      message('user', 'go on'),
      ...spawn,
      message('assistant', 'c'),
    ]),
    [`rollout-3-${agent}.jsonl`]: lines([
      header(agent, { source }),
      message('user', 'look'),
      message('assistant', 'seen'),
    ]),
  })
  expect(chats).toHaveLength(1)
  expect(chats[0]).toMatchObject({ id: ID, problems: [], branches: [{ name: 'fork' }, { name: 'Ada' }] })
  expect(drawn(chats[0] as never)).toEqual([
    ...['user: a', '  assistant: b', '    user: go on', '      assistant: spawn_agent!'],
    ...['        assistant: c', '        user: look', '          assistant: seen', '    user: fork'],
  ])
})
