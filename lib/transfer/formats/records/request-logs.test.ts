import { expect, test } from 'vitest'
import { drawn, readChat, readFixture } from '@/testing/worlds/exported-files'

test.each<[string, string[]]>([
  ['ollama-request.json', ['user: <image/png> what is it', '  assistant: (looking) a dot']],
  ['anthropic-request.json', ['system: Be brief.', '  user: <image/png> what is it', '    assistant: a dot']],
  ['openai-responses-request.json', ['system: Be brief.', '  user: hello', '    assistant: x! hi']],
])('given the request of %s, then its chat is read whole', async (name, tree) => {
  const { source, chat } = await readFixture(`formats/${name}`)
  expect(source).toBe('messages')
  expect(drawn(chat)).toEqual(tree)
  expect(chat.problems).toEqual([])
})

test('given items of thoughts, searches and answers of tools, then they are one reply with the words', async () => {
  const chat = await readChat({
    model: 'model-k',
    tools: [{ type: 'function', name: 'clock', description: 'tells the time' }],
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'time?' }] },
      { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'A tool knows' }] },
      {
        type: 'web_search_call',
        id: 'ws',
        status: 'completed',
        action: { type: 'search', query: 'time now' },
      },
      { type: 'custom_tool_call', call_id: 'c', name: 'clock', input: 'zone of here' },
      { type: 'custom_tool_call_output', call_id: 'c', output: 'noon it is' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Noon.' }] },
    ],
  })
  expect(drawn(chat)).toEqual(['user: time?', '  assistant: (A tool knows) web_search! clock! Noon.'])
  expect(chat.messages[1]).toMatchObject({ model: 'model-k' })
  expect(chat.messages[1]?.parts.filter(({ type }) => type === 'dynamic-tool')).toMatchObject([
    { state: 'output-available', input: { type: 'search', query: 'time now' } },
    { state: 'output-available', input: 'zone of here', output: 'noon it is' },
  ])
  expect(chat.problems).toEqual([
    'The definition of 1 tool is left out: connect the tool here to call it again.',
  ])
})

test('given a question as a text, and the response to it, then both are read', async () => {
  const chat = await readChat({
    id: 'resp_1',
    object: 'response',
    input: 'what is it',
    output: [
      { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'a dot' }] },
    ],
  })
  expect(drawn(chat)).toEqual(['user: what is it', '  assistant: a dot'])
})

test('given a call that failed and a picture that was made, then the reply has both', async () => {
  const chat = await readChat({
    input: [
      { role: 'user', content: 'draw' },
      { type: 'mcp_call', id: 'm', name: 'draw', arguments: '{}', error: 'no pen here', output: null },
      { type: 'image_generation_call', id: 'i', status: 'completed', result: 'AAAA' },
    ],
  })
  expect(drawn(chat)).toEqual(['user: draw', '  assistant: draw! <image/png>'])
  expect(chat.messages[1]?.parts[0]).toMatchObject({ state: 'output-error', errorText: 'no pen here' })
})
