import { expect, test } from 'vitest'
import { drawn, readChat, readFixture } from '@/testing/worlds/exported-files'

test('given a text thread, then messages are the parts of its text', async () => {
  const { source, chat } = await readFixture('formats/zed.json')
  expect(source).toBe('zed')
  expect(drawn(chat)).toEqual(['user: hello', '  assistant: hi'])
  expect(chat).toMatchObject({ id: 'z', title: 'Zed', problems: [] })
})

test('given an older text thread, then roles stand apart, and places count bytes', async () => {
  const chat = await readChat({
    id: 'z',
    zed: 'context',
    version: '0.1.0',
    text: 'grüß dich\nservus und hallo',
    messages: [
      { id: 0, start: 0 },
      { id: 1, start: 12 },
    ],
    message_metadata: {
      0: { role: 'user', status: 'Done' },
      1: { role: 'assistant', status: { Error: 'No more' } },
    },
  })
  expect(drawn(chat)).toEqual(['user: grüß dich', '  assistant: servus und hallo Error: No more'])
})

test('given a thread of its agent of version 0.2, then segments, calls and their answers are parts', async () => {
  const chat = await readChat({
    version: '0.2.0',
    summary: 'Time',
    updated_at: '2025-05-01T10:00:00Z',
    model: { provider: 'zed.dev', model: 'model-z' },
    messages: [
      {
        id: 0,
        role: 'user',
        segments: [{ type: 'text', text: 'time?' }],
        context: 'file of the editor',
        tool_results: [],
      },
      {
        id: 1,
        role: 'assistant',
        segments: [
          { type: 'thinking', text: 'A tool knows', signature: 'x' },
          { type: 'text', text: 'I look.' },
        ],
        tool_uses: [{ id: 't', name: 'now', input: { timezone: 'utc' } }],
        tool_results: [{ tool_use_id: 't', is_error: false, content: 'noon it is', output: null }],
      },
      { id: 2, role: 'assistant', segments: [{ type: 'text', text: 'Noon.' }] },
    ],
  })
  expect(drawn(chat)).toEqual([
    'user: <context.txt> time?',
    '  assistant: (A tool knows) I look. now!',
    '    assistant: Noon.',
  ])
  expect(chat).toMatchObject({ title: 'Time', updatedAt: new Date('2025-05-01T10:00:00Z'), problems: [] })
  expect(chat.messages[1]).toMatchObject({ model: 'model-z' })
  expect(chat.messages[1]?.parts.at(-1)).toMatchObject({ state: 'output-available', output: 'noon it is' })
})

test('given a thread of version 0.3, then the key of a message is its role', async () => {
  const chat = await readChat({
    version: '0.3.0',
    title: 'Time',
    updated_at: '2025-10-01T10:00:00Z',
    messages: [
      { User: { id: 'u', content: [{ Text: 'time?' }, { Image: { source: 'AAAA', size: {} } }] } },
      {
        Agent: {
          content: [
            { Thinking: { text: 'A tool knows', signature: null } },
            { ToolUse: { id: 't', name: 'now', raw_input: '{}', input: {}, is_input_complete: true } },
            { Text: 'Noon.' },
          ],
          tool_results: {
            t: { tool_use_id: 't', tool_name: 'now', is_error: true, content: { Text: 'no clock here' } },
          },
        },
      },
      'Resume',
    ],
  })
  expect(drawn(chat)).toEqual(['user: time? <image/png>', '  assistant: (A tool knows) now! Noon.'])
  expect(chat.messages[1]?.parts[1]).toMatchObject({ state: 'output-error', errorText: 'no clock here' })
  expect(chat.problems).toEqual([])
})
