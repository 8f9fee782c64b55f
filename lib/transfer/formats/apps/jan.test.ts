import { expect, test } from 'vitest'
import { drawn, readAll, readFixture } from '@/testing/worlds/exported-files'

const line = (id: string, role: string, text: string, more: object = {}) => ({
  id,
  object: 'thread.message',
  thread_id: 't',
  role,
  content: [{ type: 'text', text: { value: text, annotations: [] } }],
  created_at: 1_736_789_912,
  metadata: {},
  ...more,
})
const lines = (...values: object[]) =>
  readAll('messages.jsonl', values.map((value) => JSON.stringify(value)).join('\n'))

test('given its own file, then a thread is a chat with its id, dates in both units and the model', async () => {
  const { source, chat } = await readFixture('formats/jan-messages.jsonl')
  expect(source).toBe('jan')
  expect(drawn(chat)).toEqual(['user: hello', '  assistant: hi'])
  expect(chat.messages.map(({ createdAt }) => createdAt?.toISOString())).toEqual([
    '2025-01-13T17:38:32.980Z',
    '2025-01-13T17:38:35.000Z',
  ])
  expect(chat.messages[1]?.model).toBe('model-f')
  expect(chat).toMatchObject({ id: 't', currentId: 'j2', problems: [] })
})

test('given thoughts, pictures and tools in the content, then each is a part', async () => {
  const { chats } = await lines(
    line('1', 'user', 'look', {
      content: [
        { type: 'text', text: { value: 'look' } },
        { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
      ],
    }),
    line('2', 'assistant', '', {
      content: [
        { type: 'reasoning', text: { value: 'hm' } },
        { type: 'tool_call', tool_call_id: 'x', tool_name: 'web', input: { q: 1 }, output: 'found' },
        { type: 'text', text: { value: '<think>still</think>done' } },
      ],
    }),
  )
  expect(chats.map(drawn)).toEqual([
    ['user: look ![Picture](https://example.org/a.png)', '  assistant: (hm) web! (still) done'],
  ])
  expect(chats[0]?.messages[1]?.parts[1]).toMatchObject({ input: { q: 1 }, output: 'found' })
  expect(chats[0]?.problems).toEqual([])
})

test('given calls in the metadata, one of which failed, then they stand before the words', async () => {
  const tool = (id: string) => ({ id, function: { name: 'web', arguments: '{"q":1}' } })
  const { chats } = await lines(
    line('1', 'user', 'go'),
    line('2', 'assistant', 'done', {
      metadata: {
        tool_calls: [
          {
            tool: tool('x'),
            state: 'ready',
            response: { content: [{ type: 'text', text: 'found' }], error: '' },
          },
          { tool: tool('y'), state: 'ready', response: { content: [], error: 'no net' } },
        ],
      },
    }),
  )
  expect(chats.map(drawn)).toEqual([['user: go', '  assistant: web! web! done']])
  expect(chats[0]?.messages[1]?.parts.slice(0, 2)).toMatchObject([
    { output: 'found' },
    { errorText: 'no net' },
  ])
  expect(chats[0]?.problems).toEqual([])
})

test('given lines of two threads, then each is a chat', async () => {
  const { chats } = await lines(
    line('1', 'user', 'a'),
    line('2', 'user', 'b', { thread_id: 'u' }),
    line('3', 'assistant', 'c'),
  )
  expect(chats.map(drawn)).toEqual([['user: a', '  assistant: c'], ['user: b']])
})

test('given two threads of which one has a time that is none, then only that one says so', async () => {
  const { chats } = await lines(
    line('1', 'user', 'a', { created_at: 'noon' }),
    line('2', 'user', 'b', { thread_id: 'u' }),
  )
  expect(chats.map(({ problems }) => problems)).toEqual([
    ['1 time is none that can be read. It is left out.'],
    [],
  ])
})
