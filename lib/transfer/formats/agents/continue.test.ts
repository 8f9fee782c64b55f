import { expect, test } from 'vitest'
import { drawn, readChat, readFixture } from '@/testing/worlds/exported-files'

const step = (role: string, content: unknown, more: object = {}, message: object = {}) => ({
  message: { role, content, ...message },
  contextItems: [],
  ...more,
})
const session = (...history: object[]) => ({
  sessionId: 'c',
  title: 'Continue',
  workspaceDirectory: '/x',
  history,
})
const call = { id: 'x', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }

test('given its own session, then its steps are messages', async () => {
  const { source, chat } = await readFixture('formats/continue-session.json')
  expect(source).toBe('continue')
  expect(drawn(chat)).toEqual(['user: hello', '  assistant: hi'])
  expect(chat).toMatchObject({ id: 'c', title: 'Continue', problems: [] })
})

test('given files as context and the model in the logs, then both are kept', async () => {
  const chat = await readChat(
    session(
      step('user', [{ type: 'text', text: 'read' }], {
        contextItems: [{ name: 'boat.py', content: 'print()', description: 'x' }],
      }),
      step('assistant', 'ok', {
        promptLogs: [{ modelTitle: 'model-a', prompt: 'a long prompt of many words', completion: 'ok' }],
      }),
    ),
  )
  expect(drawn(chat)).toEqual(['user: <boat.py> read', '  assistant: ok'])
  expect(chat.messages.map(({ model }) => model)).toEqual([null, 'model-a'])
  expect(chat.problems).toEqual([])
})

test('given thoughts and a tool, then they are one reply', async () => {
  const chat = await readChat(
    session(
      step('user', 'go'),
      step('thinking', 'hm'),
      step('assistant', 'reading', {}, { toolCalls: [call] }),
      step('tool', 'text of a', {}, { toolCallId: 'x' }),
      step('assistant', 'done', { reasoning: { active: false, text: 'so' } }),
    ),
  )
  expect(drawn(chat)).toEqual(['user: go', '  assistant: (hm) reading read_file! (so) done'])
  expect(chat.messages[1]?.parts.find(({ type }) => type === 'dynamic-tool')).toMatchObject({
    output: 'text of a',
  })
  expect(chat.problems).toEqual([])
})

test('given an answer that stands in the step of the call, then it answers the call', async () => {
  const toolCallStates = [
    {
      toolCallId: 'x',
      toolCall: call,
      status: 'errored',
      output: [{ name: 'Error', content: 'no such file' }],
    },
  ]
  const chat = await readChat(
    session(step('user', 'go'), step('assistant', '', { toolCallStates }, { toolCalls: [call] })),
  )
  expect(chat.messages[1]?.parts[0]).toMatchObject({ state: 'output-error', errorText: 'no such file' })
  expect(chat.problems).toEqual([])
})
