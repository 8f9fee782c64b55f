import { expect, test } from 'vitest'
import { drawn, readAll, readChat, readFixture } from '@/testing/worlds/exported-files'

const chat = (...requests: object[]) => ({ sessionId: 's', responderUsername: 'GitHub Copilot', requests })
const request = (text: string, ...response: object[]) => ({
  requestId: `q-${text}`,
  responseId: `a-${text}`,
  message: { text, parts: [{ kind: 'text', text }] },
  modelId: 'copilot/m',
  timestamp: 1_736_789_912_980,
  response,
})

test('given an exported chat, then each request is a question with its reply', async () => {
  const { source, chat: read } = await readFixture('formats/vscode-chat.json')
  expect(source).toBe('vscode-chat')
  expect(drawn(read)).toEqual(['user: hello', '  assistant: hi'])
  expect(read.messages.map(({ model }) => model)).toEqual([null, 'copilot/model'])
  expect(read.problems).toEqual([])
})

test('given thoughts, tools, references and edits, then each is a part, and words are put together', async () => {
  const read = await readChat(
    chat({
      ...request(
        'mend it',
        { kind: 'mcpServersStarting', didStartServerIds: [] },
        { kind: 'thinking', value: ['I look ', 'at it'] },
        { value: 'See ', supportThemeIcons: false },
        { kind: 'inlineReference', inlineReference: { path: '/app/main.ts' } },
        { value: ' for that.' },
        {
          kind: 'toolInvocationSerialized',
          toolId: 'copilot_readFile',
          toolCallId: 't',
          invocationMessage: { value: 'Reading main.ts' },
          isComplete: true,
        },
        {
          kind: 'textEditGroup',
          uri: { path: '/app/main.ts' },
          edits: [[{ text: 'let a = 1', range: {} }]],
          done: true,
        },
        { kind: 'markdownContent', content: { value: 'Done it.' } },
      ),
      variableData: { variables: [{ kind: 'file', name: 'main.ts', value: { path: '/app/main.ts' } }] },
      result: {
        metadata: {
          toolCallRounds: [{ toolCalls: [{ id: 'c', name: 'read_file', arguments: '{"path":"main.ts"}' }] }],
          toolCallResults: { c: { content: [{ value: 'let a = 0' }] } },
        },
      },
    }),
  )
  expect(drawn(read)).toEqual([
    'user: [File main.ts: not in the export] mend it',
    '  assistant: (I look at it) See `/app/main.ts` for that. read_file! /app/main.ts\n\n```\nlet a = 1\n``` Done it.',
  ])
  expect(read.messages[1]?.parts.find(({ type }) => type === 'dynamic-tool')).toMatchObject({
    input: { path: 'main.ts' },
    output: 'let a = 0',
  })
  expect(read.problems).toEqual([
    '1 file is named but is not part of the export. The text says where it was.',
  ])
})

test('given a request that was undone and one that failed, then one is hidden, and the other says so', async () => {
  const read = await readChat(
    chat(
      { ...request('first', { value: 'one' }), isHidden: true },
      { ...request('second'), result: { errorDetails: { message: 'No connection today' } } },
    ),
  )
  expect(drawn(read)).toEqual([
    'user: first',
    '  assistant: one',
    '    user: second',
    '      assistant: Error: No connection today',
  ])
  expect(read.messages.map(({ isHidden }) => isHidden)).toEqual([true, true, false, false])
})

test('given the lines of a chat as VS Code keeps it, then their changes make the chat', async () => {
  const lines = [
    { kind: 0, v: chat() },
    { kind: 2, k: ['requests'], v: [request('hello', { value: 'hi' })] },
    { kind: 2, k: ['requests', 0, 'response'], v: [{ value: 'hi ' }, { value: 'there' }], i: 0 },
    { kind: 1, k: ['customTitle'], v: 'Greetings' },
    { kind: 1, k: ['__proto__', 'stained'], v: true },
  ]
  const { source, chats } = await readAll('s.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'))
  expect(source).toBe('vscode-chat')
  expect(chats.map(drawn)).toEqual([['user: hello', '  assistant: hi there']])
  expect(chats[0]).toMatchObject({ id: 's', title: 'Greetings' })
  expect(chats[0]?.problems).toEqual(['1 entry among the messages is none. It is left out.'])
  expect('stained' in {}).toBe(false)
})
