import { expect, test } from 'vitest'
import { drawn, readAll, readChat, readFixture } from '@/testing/worlds/exported-files'

test('given its own file, then rounds are questions and replies', async () => {
  const { source, chat } = await readFixture('formats/tgwebui.json')
  expect(source).toBe('text-generation-webui')
  expect(drawn(chat)).toEqual(['user: hello', '  assistant: hi'])
  expect(chat.problems).toEqual([])
})

test('given versions of a reply, then they are branches and the one that is shown goes on', async () => {
  const internal = [
    ['<|BEGIN-VISIBLE-CHAT|>', 'Ahoy.'],
    ['question', 'two'],
    ['more', 'end'],
  ]
  const chat = await readChat({
    internal,
    visible: [
      ['', 'Ahoy.'],
      ['question', 'two'],
      ['more', 'end'],
    ],
    metadata: {
      'user-1': {
        timestamp: 'Mar 01, 2025 10:00',
        attachments: [{ name: 'boat.txt', content: 'boats', type: 'text/plain' }],
      },
      'assistant-1': {
        model_name: 'm',
        versions: [
          { content: 'one', visible_content: 'one', timestamp: 'Mar 01, 2025 10:01' },
          { content: 'two', visible_content: 'two' },
        ],
      },
    },
  })
  expect(drawn(chat)).toEqual(
    [
      'assistant: Ahoy.',
      '  user: [File boat.txt: not in the export] question',
      '    assistant: two',
      '      user: more',
      '        assistant: end',
      '    assistant: one',
    ].map((line) => line.replace('[File boat.txt: not in the export]', '<boat.txt>')),
  )
  expect(chat.messages[1]?.createdAt).toEqual(new Date('2025-03-01T10:00:00Z'))
  expect(chat.messages[2]?.model).toBe('m')
  expect(chat.currentId).toBe(chat.messages[4]?.id)
  expect(chat.problems).toEqual([])
})

test('given words that were shown translated, then those of the model are kept and the report says so', async () => {
  const chat = await readChat({
    internal: [['hello', 'good day to you all']],
    visible: [['hello', 'guten Tag euch']],
  })
  expect(drawn(chat)).toEqual(['user: hello', '  assistant: good day to you all'])
  expect(chat.problems[0]).toBe(
    '1 round was shown in other words than its model was sent. The words that it was sent are kept.',
  )
})

test('given an old file, then its rounds are read; entities of HTML are no other words', async () => {
  const { source, chats } = await readAll(
    'old.json',
    JSON.stringify({ data: [['a < b?', 'yes']], data_visible: [['a &lt; b?', 'yes']] }),
  )
  expect(source).toBe('text-generation-webui')
  expect(chats.map(drawn)).toEqual([['user: a < b?', '  assistant: yes']])
  expect(chats[0]?.problems).toEqual([])
})
