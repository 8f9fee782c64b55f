import { expect, test } from 'vitest'
import { drawn, readAll, readChat, readFixture } from '@/testing/worlds/exported-files'

const said = (id: string, role: string, text: string) => ({
  id,
  role,
  contentParts: [{ type: 'text', text }],
  timestamp: 1_736_789_912_980,
})
const session = (more: object) => ({ id: 's', name: 'Box', type: 'chat', messages: [], ...more })

test('given its own backup, then each session is a chat with its system prompt, dates and models', async () => {
  const { source, chats } = await readFixture('formats/chatbox.json')
  expect(source).toBe('chatbox')
  expect(chats.map(drawn)).toEqual([['system: S', '  user: hello', '    assistant: hi']])
  expect(chats[0]).toMatchObject({ id: 's1', title: 'Box', currentId: '3', problems: [] })
  expect(chats[0]?.messages[2]?.model).toBe('model-i')
  expect(chats[0]?.messages[1]?.createdAt).toEqual(new Date(1_736_789_912_980))
})

test('given forks, and a fork in a fork, then each way the chat went on is a branch after its message', async () => {
  const chat = await readChat(
    session({
      messages: [said('1', 'user', 'question'), said('2', 'assistant', 'now')],
      messageForksHash: {
        1: {
          position: 2,
          lists: [
            { id: 'a', messages: [said('3', 'assistant', 'first'), said('4', 'user', 'more')] },
            { id: 'b', messages: [said('5', 'assistant', 'second')] },
            { id: 'c', messages: [] },
          ],
        },
        3: {
          position: 0,
          lists: [
            { id: 'd', messages: [] },
            { id: 'e', messages: [said('6', 'user', 'less')] },
          ],
        },
      },
    }),
  )
  expect(drawn(chat)).toEqual([
    'user: question',
    '  assistant: now',
    '  assistant: first',
    '    user: more',
    '    user: less',
    '  assistant: second',
  ])
  expect(chat).toMatchObject({ currentId: '2', problems: [] })
})

test('given a session with threads as a file of its own, then each thread is a branch with its name', async () => {
  const { source, chats } = await readAll(
    'session.json',
    JSON.stringify(
      session({
        threadName: 'Today',
        messages: [said('1', 'user', 'today')],
        threads: [{ id: 't', name: 'Yesterday', createdAt: 1, messages: [said('2', 'user', 'before')] }],
      }),
    ),
  )
  expect(source).toBe('chatbox')
  expect(chats.map(drawn)).toEqual([['user: today', 'user: before']])
  expect(chats[0]).toMatchObject({
    currentId: '1',
    branches: [
      { name: 'Today', headId: '1' },
      { name: 'Yesterday', headId: '2' },
    ],
    problems: [],
  })
})

test('given thoughts, tools, pictures, links and an error, then each is a part, and what is missing is told', async () => {
  const chat = await readChat(
    session({
      messages: [
        { ...said('1', 'user', 'look'), links: [{ id: 'l', url: 'https://example.org', title: 'T' }] },
        {
          id: '2',
          role: 'assistant',
          contentParts: [
            { type: 'reasoning', text: 'hm', startTime: 1 },
            {
              type: 'tool-call',
              state: 'result',
              toolCallId: 'c',
              toolName: 'web',
              args: { q: 1 },
              result: { a: 2 },
            },
            {
              type: 'tool-call',
              state: 'error',
              toolCallId: 'd',
              toolName: 'web',
              args: {},
              result: 'no net',
            },
            { type: 'image', storageKey: 'picture:s:7' },
            { type: 'text', text: 'done' },
          ],
          error: 'too long',
        },
      ],
    }),
  )
  expect(drawn(chat)[1]).toBe('  assistant: (hm) web! web! [Picture: not in the export] done Error: too long')
  expect(chat.messages[1]?.parts.filter(({ type }) => type === 'dynamic-tool')).toMatchObject([
    { state: 'output-available', input: { q: 1 }, output: { a: 2 } },
    { state: 'output-error', errorText: 'no net' },
  ])
  expect(chat.messages[0]?.parts.at(-1)).toMatchObject({ type: 'source-url', url: 'https://example.org' })
  expect(chat.problems).toEqual([
    '1 file is named but is not part of the export. The text says where it was.',
  ])
})

test('given an old backup with texts and thoughts beside them, then they are read', async () => {
  const chat = await readChat({
    'chat-sessions': [
      {
        id: 's',
        name: 'Old',
        type: 'chat',
        messages: [
          { id: '1', role: 'user', content: 'hello' },
          { id: '2', role: 'assistant', content: 'hi', reasoningContent: 'greet back', model: 'm' },
        ],
      },
    ],
    settings: { openaiKey: 'a secret of three words' },
  })
  expect(drawn(chat)).toEqual(['user: hello', '  assistant: (greet back) hi'])
  expect(chat.problems).toEqual([])
})
