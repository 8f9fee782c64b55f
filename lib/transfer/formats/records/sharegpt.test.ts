import { expect, test } from 'vitest'
import { drawn, readChat, readFixture } from '@/testing/worlds/exported-files'

const turn = (from: string, value: string) => ({ from, value })

test('given lines of turns, then each line is a chat', async () => {
  const { source, chats } = await readFixture('formats/sharegpt.jsonl')
  expect(source).toBe('sharegpt')
  expect(chats.map(drawn)).toEqual([
    ['system: S', '  user: hello', '    assistant: hi'],
    ['user: again', '  assistant: yes'],
  ])
  expect(chats.map(({ id, problems }) => ({ id, problems }))).toEqual([
    { id: 'x_0', problems: [] },
    { id: 'x_1', problems: [] },
  ])
})

test('given a system prompt beside the turns and tools that are called, then they are instructions and parts, and what defines the tools is told', async () => {
  const chat = await readChat({
    conversations: [
      turn('human', 'What is 1 + 1?'),
      turn('function_call', '{"name": "add", "arguments": {"a": 1}}'),
      turn('observation', '{"sum": 2}'),
      turn('gpt', 'Two.'),
    ],
    system: 'You can add.',
    tools: '[{"name": "add", "description": "adds two numbers"}]',
  })
  expect(drawn(chat)).toEqual(['user: What is 1 + 1?', '  assistant: add! Two.'])
  expect(chat.messages[1]?.parts[0]).toMatchObject({ input: { a: 1 }, output: { sum: 2 } })
  expect(chat).toMatchObject({
    instructions: 'You can add.',
    problems: ['The definition of 1 tool is left out: connect the tool here to call it again.'],
  })
})

test('given calls at the same time, then each is answered in turn', async () => {
  const chat = await readChat({
    conversations: [
      turn('human', 'go'),
      turn('function_call', '[{"name":"a","arguments":{}},{"name":"b","arguments":{}}]'),
      turn('observation', 'one'),
      turn('observation', 'two'),
    ],
  })
  expect(chat.messages[1]?.parts).toMatchObject([
    { toolName: 'a', output: 'one' },
    { toolName: 'b', output: 'two' },
  ])
})

test('given names of other programs, pictures and the same words twice, then all is kept and what is missing is told', async () => {
  const chat = await readChat({
    items: [
      turn('user', '<image>look'),
      turn('bing', 'yes'),
      turn('user', '<image>look'),
      turn('bard', 'yes'),
    ],
    images: ['a/boat.png'],
  })
  expect(drawn(chat)).toEqual([
    'user: [Picture: not in the export] <image>look',
    '  assistant: yes',
    '    user: <image>look',
    '      assistant: yes',
  ])
  expect(chat.problems).toEqual([
    '1 file is named but is not part of the export. The text says where it was.',
  ])
})
