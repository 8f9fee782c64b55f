import { expect, test } from 'vitest'
import { drawn, readAll, readChat, readFixture } from '@/testing/worlds/exported-files'

const backup = (messages: object[], blocks: object[] = [], more: object = {}) => ({
  time: 1_736_789_912_980,
  version: 5,
  indexedDB: { topics: [{ id: 't', messages }], message_blocks: blocks },
  ...more,
})
const settings = {
  assistants: [
    {
      id: 'a',
      name: 'Pirate',
      prompt: 'You are a pirate.',
      topics: [{ id: 't', name: 'Boats', createdAt: '2025-03-01T10:00:00.000Z', pinned: true }],
    },
  ],
}
const localStorage = { 'persist:cherry-studio': JSON.stringify({ assistants: JSON.stringify(settings) }) }

test('given its own backup, then a topic is a chat', async () => {
  const { source, chats } = await readFixture('formats/cherry-studio.json')
  expect(source).toBe('cherry-studio')
  expect(chats.map(drawn)).toEqual([['user: hello']])
  expect(chats[0]).toMatchObject({ id: 't', problems: [] })
})

test('given blocks and settings, then words, thoughts, tools and sources are parts, and the topic has its name and prompt', async () => {
  const blocks = [
    { id: 'b2', messageId: '2', type: 'main_text', content: 'Boats float.' },
    { id: 'b1', messageId: '2', type: 'thinking', content: 'hm' },
    {
      id: 'b3',
      messageId: '2',
      type: 'tool',
      toolId: 'x',
      metadata: {
        rawMcpToolResponse: {
          tool: { name: 'search' },
          arguments: { q: 'boats' },
          status: 'done',
          response: { isError: false, content: [{ type: 'text', text: 'ten pages' }] },
        },
      },
    },
    {
      id: 'b4',
      messageId: '2',
      type: 'citation',
      response: { results: [{ url: 'https://example.org', title: 'T' }] },
    },
    { id: 'b0', messageId: '1', type: 'main_text', content: 'question' },
  ]
  const chat = await readChat(
    backup(
      [
        { id: '1', role: 'user', topicId: 't', blocks: ['b0'] },
        {
          id: '2',
          role: 'assistant',
          askId: '1',
          model: { id: 'm1', name: 'M' },
          blocks: ['b1', 'b3', 'b2', 'b4'],
        },
      ],
      blocks,
      { localStorage },
    ),
  )
  expect(drawn(chat)).toEqual(['user: question', '  assistant: (hm) search! Boats float.'])
  expect(chat.messages[1]?.parts.find(({ type }) => type === 'dynamic-tool')).toMatchObject({
    input: { q: 'boats' },
    output: 'ten pages',
  })
  expect(chat.messages[1]).toMatchObject({ model: 'm1' })
  expect(chat.messages[1]?.parts.at(-1)).toMatchObject({ url: 'https://example.org' })
  expect(chat).toMatchObject({
    title: 'Boats',
    instructions: 'You are a pirate.',
    tags: ['Pirate'],
    isPinned: true,
    createdAt: new Date('2025-03-01T10:00:00Z'),
    problems: [],
  })
})

test('given replies of several models, then they are branches and the chosen one goes on', async () => {
  const text = (id: string, content: string) => ({ id: `b${id}`, messageId: id, type: 'main_text', content })
  const message = (id: string, role: string, more: object = {}) => ({ id, role, blocks: [`b${id}`], ...more })
  const chat = await readChat(
    backup(
      [
        message('1', 'user'),
        message('2', 'assistant', { askId: '1', foldSelected: true, modelId: 'm1' }),
        message('3', 'assistant', { askId: '1', modelId: 'm2' }),
        message('4', 'user'),
        message('5', 'assistant', { askId: '4' }),
      ],
      [text('1', 'question'), text('2', 'one'), text('3', 'two'), text('4', 'more'), text('5', 'end')],
    ),
  )
  expect(drawn(chat)).toEqual([
    'user: question',
    '  assistant: one',
    '    user: more',
    '      assistant: end',
    '  assistant: two',
  ])
  expect(chat).toMatchObject({ currentId: '5', problems: [] })
})

test('given a zip with files, then a picture of a message is the entry, and one that is gone is told', async () => {
  const chat = await readChat(
    backup(
      [{ id: '1', role: 'user', blocks: ['b'] }],
      [
        {
          id: 'b',
          messageId: '1',
          type: 'image',
          file: { id: 'f1', name: 'f1.png', origin_name: 'boat.png', ext: '.png', type: 'image' },
        },
      ],
    ),
  )
  expect(drawn(chat)).toEqual(['user: [Picture boat.png: not in the export]'])
  expect(chat.problems).toEqual([
    '1 file is named but is not part of the export. The text says where it was.',
  ])
})

test('given two topics, a cleared context and an unknown block, then each is told of its own topic', async () => {
  const data = backup([])
  const topics = [
    {
      id: 't1',
      messages: [
        { id: '1', role: 'user', content: 'before' },
        { id: 'c', role: 'user', type: 'clear', content: '' },
        { id: '2', role: 'user', content: 'after' },
      ],
    },
    { id: 't2', messages: [{ id: '3', role: 'user', blocks: ['b'] }] },
  ]
  const message_blocks = [{ id: 'b', messageId: '3', type: 'hologram', content: 'a boat in the air' }]
  const { chats } = await readAll(
    'data.json',
    JSON.stringify({ ...data, indexedDB: { topics, message_blocks } }),
  )
  expect(chats[0] && drawn(chats[0])).toEqual(['user: before', '  user: after'])
  expect(chats.map(({ problems }) => problems)).toEqual([
    ['Where the context was cleared, its models were not sent what stands before. Here the chat goes on.'],
    ['1 part is of a kind that is not known here. It is kept as JSON in the text.'],
  ])
})

test('given a picture that a model made and a tool that failed, then the prompt of the picture is told', async () => {
  const blocks = [
    {
      id: 'a',
      messageId: '1',
      type: 'image',
      metadata: {
        prompt: 'a boat on the sea',
        generateImageResponse: { type: 'base64', images: ['data:image/png;base64,aGk='] },
      },
    },
    {
      id: 'b',
      messageId: '1',
      type: 'tool',
      toolId: 'x',
      toolName: 'search',
      arguments: { q: 1 },
      content: { isError: true, content: [{ type: 'text', text: 'no net' }] },
    },
    { id: 'c', messageId: '1', type: 'translation', targetLanguage: 'german', content: 'ein Boot' },
    { id: 'd', messageId: '1', type: 'error', error: { message: 'too long' } },
  ]
  const chat = await readChat(backup([{ id: '1', role: 'assistant', blocks: ['a', 'b', 'c', 'd'] }], blocks))
  expect(drawn(chat)).toEqual([
    'assistant: <image/png> search! Translation (german):\n\nein Boot Error: too long',
  ])
  expect(chat.messages[0]?.parts[1]).toMatchObject({ state: 'output-error', errorText: 'no net' })
  expect(chat.problems).toEqual([
    '1 text under “metadata.prompt” is not brought: this field is not known here.',
  ])
})
