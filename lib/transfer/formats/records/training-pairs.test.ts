import { expect, test } from 'vitest'
import { drawn, readAll, readChat, readFixture } from '@/testing/worlds/exported-files'

const lines = (...values: object[]) =>
  readAll('pairs.jsonl', values.map((value) => JSON.stringify(value)).join('\n'))

test('given pairs as texts and as lists, then chosen and rejected are two branches after the question', async () => {
  const { source, chats } = await readFixture('formats/dpo.jsonl')
  expect(source).toBe('training-pairs')
  expect(chats.map(drawn)).toEqual([
    ['user: hello', '  assistant: good', '  assistant: bad'],
    ['user: q', '  assistant: good', '  assistant: bad'],
  ])
  for (const { branches, messages, currentId, problems } of chats) {
    expect(branches.map(({ name }) => name)).toEqual(['Chosen', 'Rejected'])
    expect(currentId).toBe(messages[1]?.id)
    expect(problems).toEqual([])
  }
})

test('given pairs of OpenAI, then the preferred reply is where the chat is read', async () => {
  const { source, chat } = await readFixture('formats/openai-preference.jsonl')
  expect(source).toBe('training-pairs')
  expect(drawn(chat)).toEqual(['user: q', '  assistant: good', '  assistant: bad'])
  expect(chat.currentId).toBe(chat.branches.find(({ name }) => name === 'Chosen')?.headId)
  expect(chat.problems).toEqual([])
})

test('given turns in one text as Anthropic publishes them, then the common turns are one chain', async () => {
  const begin = '\n\nHuman: hello\n\nAssistant: hi\n\nHuman: more\n\nAssistant: '
  const { chats } = await lines(
    { chosen: `${begin}good`, rejected: `${begin}bad` },
    { chosen: `${begin}good`, rejected: begin.replace('hi', 'no') },
  )
  expect(chats.map(drawn)).toEqual([
    ['user: hello', '  assistant: hi', '    user: more', '      assistant: good', '      assistant: bad'],
    [
      'user: hello',
      '  assistant: hi',
      '    user: more',
      '      assistant: good',
      '  assistant: no',
      '    user: more',
    ],
  ])
})

test('given pairs of LLaMA-Factory, then the turns before, the system prompt and several rejected replies are kept', async () => {
  const chat = await readChat({
    conversations: [{ from: 'human', value: 'hello' }],
    system: 'S',
    chosen: { from: 'gpt', value: 'good' },
    rejected: { from: 'gpt', value: 'bad' },
  })
  expect(drawn(chat)).toEqual(['system: S', '  user: hello', '    assistant: good', '    assistant: bad'])
  const other = await readChat({
    instruction: 'Add',
    input: '1 and 2',
    history: [['hi', 'ho']],
    chosen: '3',
    rejected: ['4', '5'],
  })
  expect(drawn(other)).toEqual([
    'user: hi',
    '  assistant: ho',
    '    user: Add\n\n1 and 2',
    '      assistant: 3',
    '      assistant: 4',
    '      assistant: 5',
  ])
  expect(other.branches.map(({ name }) => name)).toEqual(['Chosen', 'Rejected', 'Rejected 2'])
  expect([...chat.problems, ...other.problems]).toEqual([])
})

test('given one reply to a prompt, with or without a verdict, then it is a chat of two messages', async () => {
  const { chats } = await lines(
    { prompt: 'hello', completion: 'hi' },
    {
      prompt: [{ role: 'user', content: 'hello' }],
      completion: [{ role: 'assistant', content: 'no' }],
      label: false,
    },
    { instruction: 'Say hi', input: '', output: 'hi' },
  )
  expect(chats.map(drawn)).toEqual([
    ['user: hello', '  assistant: hi'],
    ['user: hello', '  assistant: no'],
    ['user: Say hi', '  assistant: hi'],
  ])
  expect(chats.map(({ branches }) => branches.map(({ name }) => name))).toEqual([[], ['Rejected'], []])
})

test('given a pair whose prompt stands in its lists too, then it is there once, and tools are called in it', async () => {
  const asked = { role: 'user', content: 'q' }
  const call = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }],
  }
  const chat = await readChat({
    prompt: 'q',
    chosen: [
      asked,
      call,
      { role: 'tool', tool_call_id: 'c', content: '2' },
      { role: 'assistant', content: 'two' },
    ],
    rejected: [asked, { role: 'assistant', content: 'one' }],
    note_of_the_rater: 'the first one is right',
  })
  expect(drawn(chat)).toEqual(['user: q', '  assistant: f! two', '  assistant: one'])
  expect(chat.problems).toEqual([
    '1 text under “note_of_the_rater” is not brought: this field is not known here.',
  ])
})
