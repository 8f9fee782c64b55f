import { expect, test } from 'vitest'
import { drawn, readChat, readFixture } from '@/testing/worlds/exported-files'

const text = (words: string) => [{ type: 'text', text: words }]

test('given a repository, then parents beside the messages make the tree, and the head is where it was read last', async () => {
  const { source, chat } = await readFixture('formats/assistant-ui.json')
  expect(source).toBe('assistant-ui')
  expect(drawn(chat)).toEqual(['user: question', '  assistant: one', '  assistant: two'])
  expect(chat).toMatchObject({ currentId: 'a2', problems: [] })
  expect(chat.messages[0]?.createdAt).toEqual(new Date('2025-03-01T10:00:00Z'))
})

test('given rows of its cloud, then the message stands in the content of each', async () => {
  const row = (id: string, parent_id: string | null, role: string, words: string) => ({
    id,
    parent_id,
    format: 'aui/v0',
    created_at: '2025-03-01T10:00:00Z',
    content: { role, content: text(words) },
  })
  const chat = await readChat({
    messages: [
      row('m2', 'm1', 'assistant', 'answer'),
      row('m1', null, 'user', 'question'),
      row('m3', 'm1', 'assistant', 'other'),
    ],
  })
  expect(drawn(chat)).toEqual(['user: question', '  assistant: answer', '  assistant: other'])
  expect(chat.problems).toEqual([])
})

test('given a tool, thoughts, a source and attachments, then each is a part', async () => {
  const attachments = [
    {
      id: 'f',
      type: 'document',
      name: 'notes.txt',
      contentType: 'text/plain',
      content: text('notes of a day'),
    },
    {
      id: 'p',
      type: 'image',
      name: 'dot.png',
      content: [{ type: 'image', image: 'data:image/png;base64,AAAA' }],
    },
  ]
  const content = [
    { type: 'reasoning', text: 'hm' },
    {
      type: 'tool-call',
      toolCallId: 't',
      toolName: 'clock',
      args: { zone: 'UTC' },
      argsText: '{"zone":"UTC"}',
      result: 'noon it is',
    },
    { type: 'text', text: 'Noon.' },
    { type: 'source', sourceType: 'url', id: 's', url: 'https://example.org/', title: 'Time' },
  ]
  const chat = await readChat({
    headId: 'b',
    messages: [
      { parentId: null, message: { id: 'a', role: 'user', content: text('time?'), attachments } },
      { parentId: 'a', message: { id: 'b', role: 'assistant', content } },
    ],
  })
  expect(drawn(chat)).toEqual(['user: <notes.txt> <dot.png> time?', '  assistant: (hm) clock! Noon.'])
  expect(chat.messages[1]?.parts).toContainEqual(
    expect.objectContaining({ type: 'dynamic-tool', state: 'output-available', output: 'noon it is' }),
  )
  expect(chat.messages[1]?.parts.at(-1)).toMatchObject({ type: 'source-url', url: 'https://example.org/' })
  expect(chat.problems).toEqual([])
})

test('given messages of the AI SDK and a reply that failed, then parts are read and the text says so', async () => {
  const chat = await readChat({
    headId: 'b',
    messages: [
      { parentId: null, message: { id: 'a', role: 'user', parts: text('question') } },
      {
        parentId: 'a',
        message: {
          id: 'b',
          role: 'assistant',
          content: [],
          status: { type: 'incomplete', reason: 'error', error: 'No connection today' },
        },
      },
    ],
  })
  expect(drawn(chat)).toEqual(['user: question', '  assistant: Error: No connection today'])
})
