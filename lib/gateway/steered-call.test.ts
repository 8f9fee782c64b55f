import type { ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { clientCalls } from '@/testing/fixtures/client-calls'
import { pairFaults } from '@/testing/worlds/sent-pairs'
import { type KeptPart, keptPart } from './kept'
import { chatCompletions } from './protocols/chat-completions'
import { messages } from './protocols/messages'
import type { Protocol } from './protocols/protocol'
import { responses } from './protocols/responses'
import { answeredChain, steeredCall } from './steered-call'

type Item = Record<string, unknown>

const protocols: Record<string, Protocol> = { 'chat/completions': chatCompletions, messages, responses }
const fieldOf = (protocol: Protocol) => protocol.writer.field
const steer = (protocol: Protocol, body: Item, chain: readonly ModelMessage[], isShared = false) => {
  const sent = steeredCall(protocol, body, chain, { isShared })
  const items = sent[fieldOf(protocol)] as Item[]
  expect(pairFaults(fieldOf(protocol), items)).toEqual([])
  return items
}
const user = (content: string): ModelMessage => ({ role: 'user', content })
/** A reply with parts that the AI SDK has no type for. */
const reply = (...content: unknown[]) => ({ role: 'assistant', content }) as unknown as ModelMessage
const call = (toolCallId: string, input: unknown = { at: 1 }, toolName = 'look') => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input,
})
const answers = (...given: [string, unknown][]) => {
  const content = given.map(([toolCallId, output]) => ({ type: 'tool-result', toolCallId, output }))
  return { role: 'tool', content } as unknown as ModelMessage
}
/** the client has sent something else */
const other = [{ role: 'user', content: 'Something else' }]
const text = (value: string) => ({ type: 'text', value })

describe('a call that is steered to what it says itself', () => {
  const recorded = Object.entries(clientCalls).flatMap(([client, calls]) =>
    Object.entries(calls).map(
      ([name, { path, body }]) => [`${client}: ${name}`, path, body as Item] as const,
    ),
  )
  it.each(recorded)('%s is the same call', (_, path, body) => {
    const protocol = protocols[path] as Protocol
    expect(steeredCall(protocol, body, protocol.readCall(body).messages, { isShared: false })).toEqual(body)
  })

  const unknown = { type: 'from_the_future', payload: { deep: [1, { two: 3 }] } }
  it.each<[string, Protocol, Item]>([
    [
      'items of every kind',
      responses,
      {
        input: [
          { role: 'developer', content: 'You know fish.' },
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'Hi' },
              { type: 'input_image', file_id: 'f' },
            ],
          },
          { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'e' },
          { type: 'web_search_call', id: 'ws', status: 'completed', action: {} },
          { type: 'shell_call', call_id: 's', action: { commands: ['ls'] } },
          { type: 'shell_call_output', call_id: 's', output: [] },
          { type: 'custom_tool_call', call_id: 'p', name: 'patch', input: '*** Begin' },
          { type: 'custom_tool_call_output', call_id: 'p', output: 'done' },
          unknown,
          { role: 'developer', content: 'Be brief now.' },
          { type: 'item_reference', id: 'msg_1' },
          { type: 'message', role: 'critic', content: 'Bad.' },
          { role: 'user', content: 'Go on' },
        ],
      },
    ],
    [
      'blocks of every kind',
      messages,
      {
        messages: [
          { role: 'user', content: 'Hi' },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Hm', signature: 's' },
              { type: 'redacted_thinking', data: 'x' },
              { type: 'mcp_tool_use', id: 'm', name: 'n', server_name: 's', input: {} },
              { type: 'mcp_tool_result', tool_use_id: 'm', content: [] },
              unknown,
              { type: 'tool_use', id: 't', name: 'look', input: {} },
              { type: 'tool_use', id: 'u', name: 'look', input: {} },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 't', is_error: true, content: 'gone' },
              { type: 'tool_result', tool_use_id: 'u', content: [{ type: 'search_result', source: 'x' }] },
              { type: 'text', text: 'And now?', cache_control: { type: 'ephemeral' } },
              { type: 'document', source: { type: 'file', file_id: 'f' } },
            ],
          },
          { role: 'system', content: 'Be brief now.' },
        ],
      },
    ],
    [
      'messages of every kind',
      chatCompletions,
      {
        messages: [
          { role: 'system', content: 'You know fish.' },
          { role: 'user', content: [{ type: 'video_url', video_url: { url: 'https://a' } }] },
          { role: 'assistant', content: null, audio: { id: 'a' } },
          { role: 'assistant', content: '', tool_calls: [{ id: 'o', type: 'odd', odd: { name: 'x' } }] },
          { role: 'tool', tool_call_id: 'o', content: 'x' },
          { role: 'developer', content: 'Be brief now.' },
          { role: 'critic', content: 'Bad.' },
        ],
      },
    ],
  ])('%s stay what they are', (_, protocol, said) => {
    const body = { model: 'm', ...said, more: { of: ['everything'] } }
    const chain = protocol.readCall(body).messages
    expect(steeredCall(protocol, body, chain, { isShared: true })).toEqual(body)
  })
})

describe('what a client has not sent', () => {
  const PNG = 'data:image/png;base64,iVBORw0KGgo='
  const file = (mediaType: string, data: string) => ({
    type: 'file',
    mediaType,
    filename: 'a',
    data: new URL(data),
  })
  const thought = (providerOptions: object, words = 'Hm.') => ({
    type: 'reasoning',
    text: words,
    providerOptions,
  })
  const signed = { anthropic: { signature: 's' } }
  const redacted = { anthropic: { redactedData: 'x' } }
  const encrypted = { openai: { reasoningEncryptedContent: 'e' } }
  const chain: ModelMessage[] = [
    { role: 'user', content: [{ type: 'text', text: 'Fish?' }, file('image/png', PNG)] } as ModelMessage,
    reply(
      thought(signed),
      ...[thought(redacted, ''), thought(encrypted), { type: 'text', text: 'I look.' }],
      call('t.1'),
      call('p', '*** Begin', 'patch'),
    ),
    answers(
      ['t.1', { type: 'error-text', value: 'gone' }],
      ['p', { type: 'content', value: [{ type: 'text', text: 'done' }, file('image/png', PNG)] }],
    ),
    { role: 'system', content: 'Be brief.' },
    user('Go on'),
  ]

  it('is written as messages of Anthropic, with thoughts that are signed', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
    expect(steer(messages, { model: 'm', messages: other }, chain)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Fish?' }, image] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 's' },
          { type: 'redacted_thinking', data: 'x' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 't_1', name: 'look', input: { at: 1 } },
          { type: 'tool_use', id: 'p', name: 'patch', input: { input: '*** Begin' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't_1', content: 'gone', is_error: true },
          { type: 'tool_result', tool_use_id: 'p', content: [{ type: 'text', text: 'done' }, image] },
          { type: 'text', text: 'Be brief.' },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'Go on' }] },
    ])
  })

  it('is written as items of responses, with thoughts that are encrypted, and calls of the client’s kind', () => {
    const body = { model: 'm', input: other, tools: [{ type: 'custom', name: 'patch' }] }
    const said = (role: string, words: string) => ({
      type: 'message',
      role,
      content: [{ type: 'input_text', text: words }],
    })
    const image = { type: 'input_image', image_url: PNG }
    expect(steer(responses, body, chain)).toEqual([
      { ...said('user', 'Fish?'), content: [{ type: 'input_text', text: 'Fish?' }, image] },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'e' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
      { type: 'function_call', call_id: 't.1', name: 'look', arguments: '{"at":1}' },
      { type: 'custom_tool_call', call_id: 'p', name: 'patch', input: '*** Begin' },
      { type: 'function_call_output', call_id: 't.1', output: 'gone' },
      {
        type: 'custom_tool_call_output',
        call_id: 'p',
        output: [{ type: 'input_text', text: 'done' }, image],
      },
      said('developer', 'Be brief.'),
      said('user', 'Go on'),
    ])
  })

  it('is written as messages of chat completions', () => {
    const body = { model: 'm', messages: other, tools: [{ type: 'custom', custom: { name: 'patch' } }] }
    expect(steer(chatCompletions, body, chain)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Fish?' },
          { type: 'image_url', image_url: { url: PNG } },
        ],
      },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 't.1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } },
          { id: 'p', type: 'custom', custom: { name: 'patch', input: '*** Begin' } },
        ],
      },
      { role: 'tool', tool_call_id: 't.1', content: 'gone' },
      {
        role: 'tool',
        tool_call_id: 'p',
        content: expect.stringMatching(/^done\n\[The file "a" \(image\/png\)/),
      },
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Go on' },
    ])
  })

  const part = (protocol: KeptPart['protocol'], item: Item) => keptPart(protocol, item) as unknown as never
  const search = part('responses', { type: 'web_search_call', id: 'ws', action: {} })
  const document = part('messages', { type: 'document', source: { type: 'file', file_id: 'f' } })
  const marked = part('messages', { type: 'search_result', title: 't', cache_control: { type: 'ephemeral' } })

  it('is kept as it came for its own protocol alone, and in words where a person said it', () => {
    const said: ModelMessage[] = [{ role: 'user', content: [document, marked] }, reply(search)]
    const named = expect.objectContaining({ text: expect.stringContaining('A part of the type "document"') })
    expect(steer(responses, { model: 'm', input: other }, said)).toEqual([
      { type: 'message', role: 'user', content: [named, expect.anything()] },
      { type: 'web_search_call', id: 'ws', action: {} },
    ])
    const sent = steer(messages, { model: 'm', messages: other }, said)
    expect(sent).toEqual([
      {
        role: 'user',
        content: [
          { type: 'document', source: { type: 'file', file_id: 'f' } },
          { type: 'search_result', title: 't' },
        ],
      },
    ])
    // the key of another does not read what lies in an account
    expect(steer(messages, { model: 'm', messages: other }, said, true)).toEqual([
      { role: 'user', content: [named, { type: 'search_result', title: 't' }] },
    ])
  })
})

describe.each(Object.entries(protocols))('calls of tools in %s', (_, protocol) => {
  const body = { model: 'm', [fieldOf(protocol)]: other }
  const ids = (items: Item[]) => JSON.stringify(items).match(/"(?:a|b)(?:_\d)?"/g)

  it('that nothing has answered are left out, and answers without their call', () => {
    const chain = [
      user('Hi'),
      reply(call('a'), call('b')),
      answers(['b', text('x')], ['z', text('y')]),
      user('Go'),
    ]
    expect(ids(steer(protocol, body, chain))).toEqual(['"b"', '"b"'])
    expect(steer(protocol, body, [user('Hi'), reply(call('a')), user('Go')])).toHaveLength(2)
    expect(steer(protocol, body, [user('Hi'), answers(['a', text('x')]), user('Go')])).toHaveLength(2)
    expect(JSON.stringify(answeredChain(chain))).not.toContain('"a"')
  })

  it('that stand there twice have an id each', () => {
    const copied = [reply(call('a')), answers(['a', text('x')])]
    const sent = steer(protocol, body, [user('Hi'), ...copied, user('Again'), ...copied, user('Go')])
    expect(ids(sent)).toEqual(['"a"', '"a"', '"a_2"', '"a_2"'])
  })
})

describe('a call of its provider’s own', () => {
  it('without its answer is left out with the thoughts that led to it', () => {
    const input = [
      { type: 'message', role: 'user', content: 'Hi' },
      { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'e' },
      { type: 'shell_call', call_id: 's', action: {} },
      { type: 'shell_call_output', call_id: 's', output: [] },
    ]
    const body = { model: 'm', input, previous_response_id: 'resp_1', conversation: 'conv_1', store: false }
    const chain = responses.readCall(body).messages.slice(0, 2)
    expect(steeredCall(responses, body, [...chain, user('Go')], { isShared: false })).toEqual({
      model: 'm',
      store: false,
      input: [input[0], { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go' }] }],
    })
  })
})

describe('marks for the cache', () => {
  const mark = { cache_control: { type: 'ephemeral' } }
  const said = (words: string, more: object = {}) => ({
    role: 'user',
    content: [{ type: 'text', text: words, ...more }],
  })
  const marksIn = (items: Item[]) => JSON.stringify(items).match(/cache_control/g)?.length ?? 0

  it('stand at the end where the client’s end is left out, and are never more than it sent', () => {
    const sent = [said('One', mark), said('Two'), said('Three', mark)]
    const body = { model: 'm', messages: sent }
    const [one, two] = messages.readCall(body).messages as [ModelMessage, ModelMessage]
    expect(steer(messages, body, [one, two])).toEqual([said('One', mark), said('Two', mark)])
    expect(marksIn(steer(messages, body, [one, user('Other')]))).toBe(2)
    const own = steer(messages, body, messages.readCall(body).messages.concat(user('More')))
    expect(marksIn(own)).toBe(2)
    expect(own.slice(0, 3)).toEqual(sent)
    expect(marksIn(steer(messages, { model: 'm', messages: [said('One')] }, [one, two]))).toBe(0)
  })
})
