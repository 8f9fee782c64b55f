import { expect, test } from 'vitest'
import { drawn, readChat, readFixture } from '@/testing/worlds/exported-files'

const chat = (messages: object[], more: object = {}) => ({
  name: 'Exported',
  greeting: '',
  scenario: '',
  messages,
  ...more,
})
const person = (_id: string, msg: string, more: object = {}) => ({
  _id,
  handle: 'Ada',
  userId: 'u',
  msg,
  ...more,
})
const character = (_id: string, msg: string, more: object = {}) => ({
  _id,
  handle: 'Bot',
  characterId: 'imported',
  msg,
  ...more,
})

test('given its own export, then the greeting begins the chat and a retry is a branch', async () => {
  const { source, chat } = await readFixture('formats/agnai.json')
  expect(source).toBe('agnai')
  expect(drawn(chat)).toEqual([
    'assistant: hey',
    '  user: hello',
    '    assistant: hi',
    '    assistant: hi there',
  ])
  expect(chat.messages.map(({ speaker }) => speaker)).toEqual([null, 'You', 'Bot', 'Bot'])
  expect(chat).toMatchObject({ currentId: chat.messages[2]?.id, problems: [] })
})

test('given messages that name their parents, of which the first stands above the export, then they are a chain', async () => {
  const read = await readChat(
    chat(
      [
        character('11111111', 'ahoy', { parent: '00000000', createdAt: '2025-03-01T10:00:00.000Z' }),
        person('22222222', 'hello', { parent: '11111111' }),
      ],
      { greeting: 'ahoy', scenario: 'On a boat.', sampleChat: 'Bot: Arr.' },
    ),
  )
  expect(drawn(read)).toEqual(['assistant: ahoy', '  user: hello'])
  expect(read).toMatchObject({ instructions: 'On a boat.\n\nBot: Arr.', currentId: '22222222', problems: [] })
  expect(read.messages[0]?.createdAt).toEqual(new Date('2025-03-01T10:00:00Z'))
})

test('given a reply in several bubbles and words out of character, then the bubbles are kept and the words hidden', async () => {
  const read = await readChat(
    chat([person('1', 'hello', { ooc: true }), character('2', 'one', { extras: ['two'] })]),
  )
  expect(drawn(read)).toEqual(['user: hello', '  assistant: one two'])
  expect(read.messages.map(({ isHidden }) => isHidden)).toEqual([true, false])
  expect(read.problems).toEqual([])
})

test('given an unknown field, then the report names it', async () => {
  const read = await readChat(chat([person('1', 'hello', { whisper: 'only for your ears' })]))
  expect(read.problems).toEqual([
    '1 text under “messages.whisper” is not brought: this field is not known here.',
  ])
})
