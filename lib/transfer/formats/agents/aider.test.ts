import { expect, test } from 'vitest'
import { drawn, readAll, readFixture } from '@/testing/worlds/exported-files'

const read = (...lines: string[]) => readAll('.aider.chat.history.md', lines.join('\n'))
const start = (time: string) => `# aider chat started at 2025-10-01 ${time}`

test('given its own history, then lines with #### are of the person', async () => {
  const { source, chat } = await readFixture('formats/aider.md')
  expect(source).toBe('aider')
  expect(drawn(chat)).toEqual(['user: hello', '  assistant: hi'])
  expect(chat).toMatchObject({ title: 'hello', createdAt: new Date('2025-10-01T10:00:00Z'), problems: [] })
})

test('given several sessions, one without a question, then each with a question is a chat with its model', async () => {
  const { chats } = await read(
    start('10:00:00'),
    '',
    '> Aider v0.86.1  ',
    '> Main model: model-a with diff edit format  ',
    '',
    '#### change the boat  ',
    '#### and the sea  ',
    '',
    'I changed both.',
    '',
    '> Applied edit to boat.py  ',
    '',
    '#### thanks',
    start('11:00:00'),
    '> Aider v0.86.1  ',
    start('12:00:00'),
    '#### again',
    'Yes.',
  )
  expect(chats.map(drawn)).toEqual([
    [
      'user: change the boat\nand the sea',
      '  assistant: I changed both.\n\n> Applied edit to boat.py',
      '    user: thanks',
    ],
    ['user: again', '  assistant: Yes.'],
  ])
  expect(chats[0]?.messages[1]?.model).toBe('model-a')
  expect(new Set(chats.map(({ id }) => id)).size).toBe(2)
})

test('given code with such lines in a reply, then they stay in it', async () => {
  const { chats } = await read(start('10:00:00'), '#### show', '```', '#### not said', '```', 'done')
  expect(chats.map(drawn)).toEqual([['user: show', '  assistant: ```\n#### not said\n```\ndone']])
})

test('given a history that has grown, then its sessions keep their ids', async () => {
  const [one, more] = [
    await read(start('10:00:00'), '#### hello', 'hi'),
    await read(start('10:00:00'), '#### hello', 'hi', '#### more', 'yes'),
  ]
  expect(more.chats[0]?.id).toBe(one.chats[0]?.id)
  expect(more.chats[0]?.messages.slice(0, 2).map(({ id }) => id)).toEqual(
    one.chats[0]?.messages.map(({ id }) => id),
  )
})

test('given words before the first session, then the report says that they are left out', async () => {
  const { chats } = await read('some notes of mine', start('10:00:00'), '#### hello')
  expect(chats[0]?.problems).toEqual(['What stands before the first session is left out.'])
})
