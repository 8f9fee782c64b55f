import { expect, test } from 'vitest'
import { drawn, readAll, readChat, readFixture } from '@/testing/worlds/exported-files'

const backup = (...sessions: object[]) => ({ 'chat-next-web-store': { sessions, currentSessionIndex: 0 } })
const session = (messages: object[], more: object = {}) => ({ id: 'n', topic: 'Next', messages, ...more })

test('given its own backup, then a session is a chat that begins with what its mask says', async () => {
  const { source, chat } = await readFixture('formats/nextchat-backup.json')
  expect(source).toBe('nextchat')
  expect(drawn(chat)).toEqual(['system: S', '  user: hello', '    assistant: hi'])
  expect(chat).toMatchObject({ id: 'n', title: 'Next', currentId: '2', problems: [] })
  expect(chat.messages.map(({ model }) => model)).toEqual([null, null, 'model-h'])
  expect(chat.messages[1]?.createdAt).toEqual(new Date('2025-01-01T10:00:00Z'))
})

test.each([
  ['12/31/2024, 1:05:09 PM', '2024-12-31T13:05:09Z'],
  ['2025/3/1 09:00:00', '2025-03-01T09:00:00Z'],
  ['1/2/2025, 12:00:00\u202fAM', '2025-01-02T00:00:00Z'],
])('given the time %s, then it is read', async (date, time) => {
  const chat = await readChat(backup(session([{ id: '1', role: 'user', content: 'hi', date }])))
  expect(chat.messages[0]?.createdAt).toEqual(new Date(time))
})

test('given a time of which day and month are not certain, then it is left out and told', async () => {
  const chat = await readChat(
    backup(session([{ id: '1', role: 'user', content: 'hi', date: '01/02/2025 10:00:00' }])),
  )
  expect(chat.messages[0]?.createdAt).toBeNull()
  expect(chat.problems).toEqual(['1 time is none that can be read. It is left out.'])
})

test('given plugins, pictures and a summary, then what was called and seen is kept and the summary is told', async () => {
  const chat = await readChat(
    backup(
      session(
        [
          {
            id: '1',
            role: 'user',
            content: [
              { type: 'text', text: 'look' },
              { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
            ],
          },
          {
            id: '2',
            role: 'assistant',
            content: 'done',
            tools: [
              {
                id: 't',
                type: 'function',
                function: { name: 'web', arguments: '{"q":1}' },
                content: 'found',
              },
            ],
          },
        ],
        { memoryPrompt: 'They talked of a picture.' },
      ),
    ),
  )
  expect(drawn(chat)).toEqual(['user: look ![Picture](https://example.org/a.png)', '  assistant: web! done'])
  expect(chat.messages[1]?.parts[0]).toMatchObject({ input: { q: 1 }, output: 'found' })
  expect(chat.problems).toEqual([
    '1 text under “sessions.memoryPrompt” is not brought: this field is not known here.',
  ])
})

test('given two sessions of which one had its context cleared, then only that one says so', async () => {
  const hello = { id: '1', role: 'user', content: 'hello' }
  const { chats } = await readAll(
    'backup.json',
    JSON.stringify(backup(session([hello], { clearContextIndex: 1 }), session([hello], { id: 'o' }))),
  )
  expect(chats.map(({ problems }) => problems.length)).toEqual([1, 0])
})
