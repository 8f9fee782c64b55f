import { describe, expect, it } from 'vitest'
import { chatCompletions } from '@/lib/gateway/protocols/chat-completions'
import { messages } from '@/lib/gateway/protocols/messages'
import { CallRefusedError } from '@/lib/gateway/protocols/protocol'
import { responses } from '@/lib/gateway/protocols/responses'

const input = { city: 'Lisbon' }
const schema = { type: 'object' }
const picture = 'aGVsbG8='
const url = `data:image/png;base64,${picture}`
const source = { type: 'base64', media_type: 'image/png', data: picture }
const asked = { model: 'm', stream: true, temperature: 0.5 }
const tool = { name: 'weather', description: 'Tells it' }
const called = { name: 'weather', arguments: '{"city": "Lisbon"}' }
const said = (text: string) => ({ type: 'text', text })
/** What a tool has answered. */
const value = (value: string, type = 'text') => ({ type, value })
const told = (toolCallId: string, toolName: string, output: object) => ({
  type: 'tool-result',
  toolCallId,
  toolName,
  output,
})
const thanks = { role: 'user', content: 'Thanks' }

/** The same call, as each protocol has it. */
const conversation = [
  [
    'chat completions',
    chatCompletions,
    {
      ...asked,
      tools: [{ type: 'function', function: { ...tool, parameters: schema } }],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [said('Rain?'), { type: 'image_url', image_url: { url } }] },
        { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: called }] },
        { role: 'tool', tool_call_id: 'c1', content: 'rain' },
        { role: 'assistant', content: 'It rains.' },
        thanks,
      ],
    },
  ],
  [
    'responses',
    responses,
    {
      ...asked,
      instructions: 'Be brief.',
      tools: [{ type: 'function', ...tool, parameters: schema }, { type: 'web_search' }],
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Rain?' },
            { type: 'input_image', image_url: url },
          ],
        },
        { type: 'function_call', call_id: 'c1', ...called },
        { type: 'function_call_output', call_id: 'c1', output: 'rain' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It rains.' }] },
        thanks,
      ],
    },
  ],
  [
    'messages',
    messages,
    {
      ...asked,
      system: [{ ...said('Be brief.'), cache_control: { type: 'ephemeral' } }],
      tools: [
        { ...tool, input_schema: schema },
        { type: 'web_search_20250305', name: 'web_search' },
      ],
      messages: [
        { role: 'user', content: [said('Rain?'), { type: 'image', source }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'weather', input }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [said('rain')] }] },
        { role: 'assistant', content: 'It rains.' },
        thanks,
      ],
    },
  ],
] as const

describe.each(conversation)('a call in %s', (_, protocol, body) => {
  it('given a conversation with a picture and a tool, then it reads the same in every protocol', () => {
    const call = protocol.readCall(body)
    const { temperature } = asked
    expect(call).toMatchObject({
      model: 'm',
      streamed: true,
      system: ['Be brief.'],
      settings: { temperature },
    })
    expect(call.tools).toEqual([{ ...tool, inputSchema: schema }])
    expect(call.messages).toEqual([
      { role: 'user', content: [said('Rain?'), { type: 'file', data: picture, mediaType: 'image/png' }] },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input }] },
      { role: 'tool', content: [told('c1', 'weather', value('rain'))] },
      { role: 'assistant', content: [said('It rains.')] },
      thanks,
    ])
  })

  it.each([
    [{}],
    [[]],
    ['text'],
    [{ model: 'm' }],
    [{ ...body, model: 7 }],
    [{ ...body, messages: 'no', input: 7 }],
  ])('given %j, then it is refused in words', (broken) => {
    expect(() => protocol.readCall(broken)).toThrow(CallRefusedError)
  })
})

describe('calls of tools', () => {
  it('given several results and an error in one message of the user, then they are one, before what the user says', () => {
    const used = [
      { type: 'tool_use', id: 'a', name: 'x', input: {} },
      { type: 'tool_use', id: 'b', name: 'y', input: {} },
    ]
    const results = [
      { type: 'tool_result', tool_use_id: 'a', is_error: true, content: 'broken' },
      { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'image', source }] },
    ]
    const { messages: read } = messages.readCall({
      model: 'm',
      messages: [
        { role: 'assistant', content: used },
        { role: 'user', content: [...results, said('Go on')] },
      ],
    })
    const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: picture } }
    const [failed, shown] = [value('broken', 'error-text'), { type: 'content', value: [file] }]
    expect(read.slice(1)).toEqual([
      { role: 'tool', content: [told('a', 'x', failed), told('b', 'y', shown)] },
      { role: 'user', content: [said('Go on')] },
    ])
  })

  it('given arguments that are no JSON, then they stay a text', () => {
    const call = { id: 'c', type: 'function', function: { name: 'x', arguments: '{"a":' } }
    const { messages: read } = chatCompletions.readCall({
      model: 'm',
      messages: [{ role: 'assistant', tool_calls: [call] }],
    })
    expect(read).toMatchObject([{ content: [{ input: '{"a":' }] }])
  })

  it('given thoughts with a signature, and hidden ones, then what the provider wants back is kept', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm', signature: 's' },
      { type: 'redacted_thinking', data: 'r' },
    ]
    const { messages: read } = messages.readCall({ model: 'm', messages: [{ role: 'assistant', content }] })
    expect(read).toMatchObject([
      {
        content: [
          { text: 'Hm', providerOptions: { anthropic: { signature: 's' } } },
          { text: '', providerOptions: { anthropic: { redactedData: 'r' } } },
        ],
      },
    ])
  })
})
