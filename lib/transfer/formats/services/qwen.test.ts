import { expect, test } from 'vitest'
import { drawn, readAll, readChat, readFixture } from '@/testing/worlds/exported-files'

const chat = (messages: Record<string, object>) => ({
  id: 'q',
  title: 'Qwen',
  chat: { history: { currentId: 'a', messages } },
})
const user = {
  id: 'u',
  parentId: null,
  childrenIds: ['a', 'b'],
  role: 'user',
  content: 'question',
  chat_type: 't2t',
}

test('given its own export, then a reply is made of its phases', async () => {
  const { source, chat: read } = await readFixture('formats/qwen.json')
  expect(source).toBe('qwen')
  expect(drawn(read)).toEqual(['user: hello', '  assistant: (thinking) hi'])
  expect(read).toMatchObject({ id: 'q1', currentId: 'a', problems: [] })
  expect(read.messages.map(({ model }) => model)).toEqual([null, 'qwen3'])
})

test('given several chats in its export, then each is read', async () => {
  const file = { success: true, data: [chat({ u: user }), { ...chat({ u: user }), id: 'r' }] }
  const { chats } = await readAll('chat-export.json', JSON.stringify(file))
  expect(chats.map(({ id }) => id)).toEqual(['q', 'r'])
})

test('given an older chat, then its words and thoughts stand beside each other, and two replies are branches', async () => {
  const read = await readChat([
    chat({
      u: user,
      a: { id: 'a', parentId: 'u', role: 'assistant', content: 'one', reasoning_content: 'hm' },
      b: { id: 'b', parentId: 'u', role: 'assistant', content: 'two' },
    }),
  ])
  expect(drawn(read)).toEqual(['user: question', '  assistant: (hm) one', '  assistant: two'])
  expect(read.problems).toEqual([])
})

test('given a search, a tool, a picture and thoughts in short, then each is a part', async () => {
  const content_list = [
    {
      phase: 'thinking_summary',
      content: '',
      extra: { summary_title: { content: ['Plan'] }, summary_thought: { content: ['Look it up'] } },
    },
    {
      phase: 'web_search',
      content: '',
      function_id: 'f1',
      function_call: { name: 'web_search', arguments: '{"queries":["boats"]}' },
      extra: { web_search_info: [{ url: 'https://example.org/a', title: 'A' }] },
    },
    { phase: 'image_gen', content: 'https://example.org/boat.png' },
    { phase: 'sketch', content: 'a plan of a boat' },
    { phase: 'answer', content: 'Boats float.' },
  ]
  const read = await readChat({
    success: true,
    data: chat({
      u: user,
      a: { id: 'a', parentId: 'u', role: 'assistant', content: 'Boats float.', content_list },
    }),
  })
  const line = drawn(read)[1] ?? ''
  expect(line).toContain('(**Plan**\n\nLook it up) web_search! ![Picture](https://example.org/boat.png)')
  expect(line).toContain('a plan of a boat')
  expect(line.match(/Boats float\./g)).toHaveLength(1)
  expect(read.messages[1]?.parts.find(({ type }) => type === 'source-url')).toMatchObject({ title: 'A' })
  expect(read.problems).toEqual([
    '1 part is of a kind that is not known here. It is kept as JSON in the text.',
  ])
})

test('given a reply that failed, then its text says so', async () => {
  const error = { code: 'RateLimited', details: 'Too many requests' }
  const read = await readChat([
    chat({ u: user, a: { id: 'a', parentId: 'u', role: 'assistant', content: '', error, content_list: [] } }),
  ])
  expect(drawn(read)[1]).toBe('  assistant: Error: Too many requests')
})
