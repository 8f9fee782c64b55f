import { expect, test } from 'vitest'
import { drawn, readChat, readFixture } from '@/testing/worlds/exported-files'

test('given its own export, then ancestors make the tree, with thoughts, files and the model', async () => {
  const { source, chat } = await readFixture('formats/hf-chatui.json')
  expect(source).toBe('hf-chat-ui')
  expect(drawn(chat)).toEqual([
    'system: Be brief.',
    '  user: question',
    '    assistant: (let me think) first answer',
    '    assistant: second answer',
    '      user: <dot.png> follow-up to the second',
  ])
  expect(chat).toMatchObject({
    id: '65f',
    title: 'Weather',
    instructions: null,
    currentId: 'u2',
    problems: [],
  })
  expect(chat.messages[2]?.model).toBe('org/model-a')
})

test('given a conversation as its page loads it, of before it had a tree, then messages follow each other', async () => {
  const chat = await readChat({
    json: {
      id: '66a',
      title: 'Old',
      preprompt: 'Be kind.',
      model: 'org/model-b',
      messages: [
        { id: 'a', from: 'user', content: 'question' },
        { id: 'b', from: 'assistant', content: 'answer' },
      ],
    },
    meta: { values: { updatedAt: ['Date'] } },
  })
  expect(drawn(chat)).toEqual(['user: question', '  assistant: answer'])
  expect(chat).toMatchObject({ id: '66a', title: 'Old', instructions: 'Be kind.', problems: [] })
})

test('given updates with a tool and pages, then they are parts of the reply', async () => {
  const chat = await readChat({
    _id: { $oid: '65a' },
    messages: [
      { id: 'a', from: 'user', content: 'time?', ancestors: [], children: ['b'] },
      {
        id: 'b',
        from: 'assistant',
        content: 'It is noon.',
        ancestors: ['a'],
        updates: [
          { type: 'status', status: 'started' },
          { type: 'tool', subtype: 'call', uuid: 't', call: { name: 'clock', parameters: { zone: 'UTC' } } },
          {
            type: 'tool',
            subtype: 'result',
            uuid: 't',
            result: { status: 'success', call: { name: 'clock' }, outputs: [{ text: 'noon of today' }] },
          },
          {
            type: 'webSearch',
            subtype: 'sources',
            sources: [{ link: 'https://example.org/', title: 'Time' }],
          },
          { type: 'finalAnswer', text: 'It is noon.' },
        ],
      },
    ],
  })
  expect(drawn(chat)).toEqual(['user: time?', '  assistant: clock! It is noon.'])
  expect(chat.messages[1]?.parts[0]).toMatchObject({
    input: { zone: 'UTC' },
    output: [{ text: 'noon of today' }],
  })
  expect(chat.messages[1]?.parts.at(-1)).toMatchObject({ url: 'https://example.org/', title: 'Time' })
  expect(chat.problems).toEqual([])
})

test('given a file that is stored elsewhere, then the text says where it was', async () => {
  const files = [{ type: 'hash', name: 'dot.png', mime: 'image/png', value: 'c0ffee' }]
  const chat = await readChat({
    _id: '65b',
    messages: [{ id: 'a', from: 'user', content: 'look', ancestors: [], files }],
  })
  expect(drawn(chat)).toEqual(['user: [Picture dot.png: not in the export] look'])
})
