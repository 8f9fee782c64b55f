import { expect, test } from 'vitest'
import { drawn, readAll, readFixture } from '@/testing/worlds/exported-files'

const response = (id: string, prompt: string, answer: string, more: object = {}) => ({
  id,
  model: 'm',
  prompt,
  system: null,
  response: answer,
  conversation_id: 'c',
  datetime_utc: `2025-03-01T10:00:0${id}`,
  ...more,
})
const logs = (...values: object[]) => readAll('logs.json', JSON.stringify(values))

test('given its own log, then a response and its prompt are a chat', async () => {
  const { source, chat } = await readFixture('formats/llm-logs.json')
  expect(source).toBe('llm')
  expect(drawn(chat)).toEqual(['user: hello', '  assistant: hi'])
  expect(chat.messages.map(({ model }) => model)).toEqual([null, 'm'])
  expect(chat.messages[0]?.createdAt).toEqual(new Date('2025-03-01T10:00:00Z'))
  expect(chat).toMatchObject({ id: 'c', problems: [] })
})

test('given two conversations, newest first, then each is a chat in the order of time', async () => {
  const { chats } = await logs(
    response('3', 'other', 'yes', { conversation_id: 'd', conversation_name: 'Other' }),
    response('2', 'more', 'end'),
    response('1', 'hello', 'hi', { system: 'You are a pirate.', conversation_name: 'Greeting' }),
  )
  expect(chats.map(({ id, title, instructions }) => ({ id, title, instructions }))).toEqual([
    { id: 'd', title: 'Other', instructions: null },
    { id: 'c', title: 'Greeting', instructions: 'You are a pirate.' },
  ])
  expect(chats[1] && drawn(chats[1])).toEqual([
    'user: hello',
    '  assistant: hi',
    '    user: more',
    '      assistant: end',
  ])
  expect(chats.flatMap(({ problems }) => problems)).toEqual([])
})

test('given tools that are called, then a call and its result are in one reply', async () => {
  const { chats } = await logs(
    response('1', 'what time', '', {
      tool_calls: [{ id: 1, name: 'clock', arguments: { zone: 'UTC' }, tool_call_id: 'x' }],
    }),
    response('2', '', 'ten', {
      tool_results: [{ id: 1, name: 'clock', output: '10:00', tool_call_id: 'x' }],
    }),
  )
  expect(chats.map(drawn)).toEqual([['user: what time', '  assistant: clock! ten']])
  expect(chats[0]?.messages[1]?.parts[0]).toMatchObject({ input: { zone: 'UTC' }, output: '10:00' })
  expect(chats[0]?.problems).toEqual([])
})

test('given fragments and attachments, then they are files, and one that is only named is told', async () => {
  const { chats } = await logs(
    response('1', 'read', 'ok', {
      prompt_fragments: [{ source: 'boats.md', content: 'of boats' }, 'and of the sea'],
      attachments: [{ id: 'a', type: 'image/png', path: '/home/ada/boat.png', url: null }],
    }),
  )
  expect(chats[0] && drawn(chats[0])[0]).toBe('user: <boats.md> <text.txt> [Picture: not in the export] read')
  expect(chats[0]?.problems).toEqual([
    '1 file is named but is not part of the export. The text says where it was.',
  ])
})

test('given its database, then the file is refused with the command that writes the log', async () => {
  await expect(readAll('logs.db', 'SQLite format 3\0rest')).rejects.toThrow(
    'logs.db is a database (SQLite), which is not read. Export its chats as JSON: the program llm does it with “llm logs --json -n 0 > logs.json”.',
  )
})
