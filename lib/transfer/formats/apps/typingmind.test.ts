import { expect, test } from 'vitest'
import { drawn, readAll, readChat, readFixture } from '@/testing/worlds/exported-files'

const chat = (messages: object[], more: object = {}) => ({
  chatID: 'c',
  chatTitle: 'Typing',
  messages,
  ...more,
})
const question = { uuid: '1', role: 'user', content: 'question' }

test('given its own backup, then a chat has its title, dates and models', async () => {
  const { source, chat } = await readFixture('formats/typingmind.json')
  expect(source).toBe('typingmind')
  expect(drawn(chat)).toEqual(['user: hello', '  assistant: hi'])
  expect(chat).toMatchObject({
    id: 'c',
    title: 'Typing',
    createdAt: new Date('2025-03-01T10:00:00Z'),
    currentId: '2',
    problems: [],
  })
  expect(chat.messages.map(({ model }) => model)).toEqual([null, 'model-g'])
})

test('given replies of several models, then they are branches and the chosen one goes on', async () => {
  const responses = [
    { model: 'm1', messages: [{ uuid: 'a', role: 'assistant', content: 'one' }] },
    { model: 'm2', messages: [{ uuid: 'b', role: 'assistant', content: 'two' }] },
  ]
  const read = await readChat({
    data: {
      chats: [
        chat(
          [
            question,
            { uuid: '2', type: 'tm_multi_responses', responses },
            { uuid: '3', role: 'user', content: 'more' },
          ],
          {
            selectedMultimodelResponses: { 2: 'm2' },
            folderID: 'f',
            chatParams: { systemMessage: 'You are a pirate.' },
          },
        ),
      ],
      folders: [{ id: 'f', title: 'Fun' }],
    },
  })
  expect(drawn(read)).toEqual(['user: question', '  assistant: one', '  assistant: two', '    user: more'])
  expect(read.messages.map(({ model }) => model)).toEqual([null, 'm1', 'm2', null])
  expect(read).toMatchObject({
    currentId: '3',
    tags: ['Fun'],
    instructions: 'You are a pirate.',
    problems: [],
  })
})

test('given thoughts, a picture and a plugin that was called, then each is a part of the message', async () => {
  const read = await readChat(
    chat([
      {
        uuid: '1',
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
        ],
      },
      {
        uuid: '2',
        role: 'assistant',
        content: null,
        reasoning_content: 'hm',
        tool_calls: [{ id: 'x', type: 'function', function: { name: 'web', arguments: '{"q":1}' } }],
      },
      { uuid: '3', role: 'tool', tool_call_id: 'x', content: 'found' },
      { uuid: '4', role: 'assistant', content: 'done' },
    ]),
  )
  expect(drawn(read)).toEqual([
    'user: look ![Picture](https://example.org/a.png)',
    '  assistant: (hm) web! done',
  ])
  expect(read.problems).toEqual([])
})

test('given a list of chats, then all are read', async () => {
  const { source, chats } = await readAll(
    'chats.json',
    JSON.stringify({ chats: [chat([question]), chat([question], { chatID: 'd' })] }),
  )
  expect(source).toBe('typingmind')
  expect(chats.map(({ id }) => id)).toEqual(['c', 'd'])
})
