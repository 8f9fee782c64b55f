import { expect, test } from 'vitest'
import { drawn, readChat, readFixture } from '@/testing/worlds/exported-files'

const story = (prompt: string, actions: string[], more: object = {}) => ({
  gamestarted: true,
  prompt,
  memory: '',
  actions,
  actions_metadata: {},
  ...more,
})

test('given its own file, then marks of instructions say who speaks', async () => {
  const { source, chat } = await readFixture('formats/kobold.json')
  expect(source).toBe('kobold')
  expect(drawn(chat)).toEqual(['user: hello', '  assistant: hi', '    user: more'])
  expect(chat.problems).toEqual([])
})

test('given marks of KoboldCpp or of its own settings, and a reply in two steps, then it is one reply', async () => {
  const own = await readChat(
    story('<|user|>hello<|bot|>', ['hi ', 'there', '<|user|>more'], {
      memory: 'You are a pirate.',
      savedsettings: { opmode: 4, instruct_starttag: '\\n<|user|>', instruct_endtag: '\\n<|bot|>' },
    }),
  )
  expect(drawn(own)).toEqual(['user: hello', '  assistant: hi there', '    user: more'])
  expect(own).toMatchObject({ instructions: 'You are a pirate.', problems: [] })
  const placeholders = await readChat(
    story('{{[INPUT]}}hello{{[INPUT_END]}}{{[OUTPUT]}}', ['hi', '{{[INPUT]}}more']),
  )
  expect(drawn(placeholders)).toEqual(['user: hello', '  assistant: hi', '    user: more'])
})

test('given a chat with names, then each speaker keeps the name', async () => {
  const chat = await readChat(
    story('Ada: hello\nBot:', [' hi', '\nAda: and: now?\nBot: well'], {
      savedsettings: { opmode: 3, chatname: 'Ada', chatopponent: 'Bot' },
    }),
  )
  expect(drawn(chat)).toEqual([
    'user: hello',
    '  assistant: hi',
    '    user: and: now?',
    '      assistant: well',
  ])
  expect(chat.messages.map(({ speaker }) => speaker)).toEqual(['Ada', 'Bot', 'Ada', 'Bot'])
})

test('given a story with other continuations, then the player begins and each continuation is a branch', async () => {
  const chat = await readChat(
    story('Once upon a time', [' there was a boat.', '\n> sail away'], {
      actions_metadata: {
        1: {
          'Selected Text': ' there was a boat.',
          'Alternative Text': [{ Text: ' there was a sea.', 'Previous Selection': true }],
        },
      },
      authorsnote: 'written like a tale',
    }),
  )
  expect(drawn(chat)).toEqual([
    'user: Once upon a time',
    '  assistant: there was a boat.',
    '    user: > sail away',
    '  assistant: there was a sea.',
  ])
  expect(chat.currentId).toBe(chat.messages[2]?.id)
  expect(chat.problems).toEqual(['1 text under “authorsnote” is not brought: this field is not known here.'])
})
