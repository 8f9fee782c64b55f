import { expect, test } from 'vitest'
import { drawn, readAll, readFixture } from '@/testing/worlds/exported-files'

const said = (ts: number, say: string, text: string, more: object = {}) => ({
  ts: 1_736_789_912_000 + ts,
  type: 'say',
  say,
  text,
  ...more,
})
const asked = (ts: number, ask: string, text: string) => ({
  ts: 1_736_789_912_000 + ts,
  type: 'ask',
  ask,
  text,
})
const task = (...steps: object[]) => readAll('ui_messages.json', JSON.stringify(steps))

test('given what Cline sent to the model, then it is a list of messages with its tools and dates', async () => {
  const { source, chat } = await readFixture('formats/cline-api-history.json')
  expect(source).toBe('messages')
  expect(drawn(chat)).toEqual(['user: hello', '  assistant: read_file! done'])
  expect(chat.messages[0]?.createdAt).toEqual(new Date(1_736_789_912_980))
  expect(chat.messages[1]?.parts[0]).toMatchObject({ input: { path: 'a' }, output: 'file text' })
  expect(chat.problems).toEqual([])
})

test('given what its page shows, then steps up to the next words of the person are one reply', async () => {
  const { source, chats } = await task(
    said(1, 'task', 'change the boat'),
    said(2, 'reasoning', 'hm'),
    said(3, 'text', 'I read it.'),
    asked(4, 'tool', JSON.stringify({ tool: 'readFile', path: 'boat.py', content: 'print()' })),
    asked(5, 'command', 'ls'),
    said(6, 'command_output', 'boat.py'),
    said(7, 'completion_result', 'Done.'),
    said(8, 'user_feedback', 'thanks', { images: ['data:image/png;base64,aGVsbG8='] }),
  )
  expect(source).toBe('cline')
  expect(chats.map(drawn)).toEqual([
    [
      'user: change the boat',
      '  assistant: (hm) I read it. readFile! command! Done.',
      '    user: <image/png> thanks',
    ],
  ])
  expect(chats[0]?.messages[1]?.parts.filter(({ type }) => type === 'dynamic-tool')).toMatchObject([
    { input: { path: 'boat.py' }, output: 'print()' },
    { input: { command: 'ls' }, output: 'boat.py' },
  ])
  expect(chats[0]).toMatchObject({ title: 'change the boat', problems: [] })
})

test('given the first message as Cline writes it since 2024, and a question with options, then they are kept', async () => {
  const { chats } = await task(
    said(1, 'text', 'build a boat'),
    asked(2, 'followup', JSON.stringify({ question: 'Which wood?', options: ['Oak', 'Pine'] })),
    said(3, 'user_feedback', 'Oak'),
    asked(4, 'api_req_failed', 'too many requests'),
    said(5, 'error', 'no such file'),
  )
  expect(chats.map(drawn)).toEqual([
    [
      'user: build a boat',
      '  assistant: Which wood?\n- Oak\n- Pine',
      '    user: Oak',
      '      assistant: Error: no such file',
    ],
  ])
})

test('given requests and checkpoints, then the report says that they are left out', async () => {
  const { chats } = await task(
    said(1, 'task', 'hello'),
    said(2, 'api_req_started', JSON.stringify({ request: 'hello and all the rest', tokensIn: 5 })),
    said(3, 'text', 'hi'),
  )
  expect(chats.map(drawn)).toEqual([['user: hello', '  assistant: hi']])
  expect(chats[0]?.problems[0]).toBe(
    'Requests to the model and checkpoints are left out. What the model was sent stands in api_conversation_history.json.',
  )
})
