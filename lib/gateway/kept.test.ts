import type { ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { chainHashes, linksOf, NO_CHAIN } from './chain'
import { sentBack, translatable } from './kept'
import { chatCompletions } from './protocols/chat-completions'
import { messages } from './protocols/messages'
import { responses } from './protocols/responses'

// Given a conversation with something in it that Ramify has no words for, then it is a part of the chain, as it came.

const end = async (said: readonly ModelMessage[]) => (await chainHashes(NO_CHAIN, linksOf(said))).at(-1)

/** Conversations around one item or block. */
const around = {
  input: (item: unknown) => responses.readCall({ model: 'm', input: ['Hi', item, user('Go on')] }),
  inputPart: (part: unknown) =>
    responses.readCall({ model: 'm', input: [{ role: 'user', content: [part] }, user('Go on')] }),
  blockOfReply: (block: unknown) =>
    messages.readCall({ model: 'm', messages: [user('Hi'), { role: 'assistant', content: [block] }] }),
  blockOfUser: (block: unknown) =>
    messages.readCall({ model: 'm', messages: [{ role: 'user', content: [block] }] }),
  blockOfResult: (block: unknown) => {
    const content = [{ type: 'tool_result', tool_use_id: 't', content: [block] }]
    return messages.readCall({ model: 'm', messages: [{ role: 'user', content }] })
  },
  chatPart: (part: unknown) =>
    chatCompletions.readCall({ model: 'm', messages: [{ role: 'user', content: [part] }] }),
  chatReply: (fields: unknown) =>
    chatCompletions.readCall({
      model: 'm',
      messages: [user('Hi'), { role: 'assistant', ...(fields as object) }],
    }),
}
const user = (content: string) => ({ role: 'user', content })

const action = { type: 'search', query: 'fish' }
const kinds: [keyof typeof around, Record<string, unknown>][] = [
  ['input', { type: 'web_search_call', id: 'ws_1', status: 'completed', action }],
  [
    'input',
    { type: 'code_interpreter_call', id: 'ci_1', code: 'print(1)', container_id: 'c', outputs: null },
  ],
  ['input', { type: 'file_search_call', id: 'fs_1', queries: ['fish'], results: null }],
  ['input', { type: 'mcp_call', id: 'mcp_1', server_label: 's', name: 'n', arguments: '{}', output: 'x' }],
  ['input', { type: 'mcp_approval_response', approval_request_id: 'a', approve: true }],
  ['input', { type: 'image_generation_call', id: 'ig_1', result: 'aGk=' }],
  ['input', { type: 'apply_patch_call', call_id: 'c', operation: { type: 'delete_file', path: 'a' } }],
  ['input', { type: 'apply_patch_call_output', call_id: 'c', status: 'completed', output: 'done' }],
  ['input', { type: 'local_shell_call', id: 'l', call_id: 'c', action: { type: 'exec', command: ['ls'] } }],
  ['input', { type: 'local_shell_call_output', id: 'l', output: 'a.txt' }],
  ['input', { type: 'computer_call', id: 'cu', call_id: 'c', action: { type: 'click', x: 1, y: 2 } }],
  ['input', { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot' } }],
  ['input', { type: 'compaction', id: 'cmp', encrypted_content: 'xyz' }],
  ['input', { type: 'item_reference', id: 'msg_1' }],
  ['input', { type: 'additional_tools', id: 'at_1', role: 'developer', tools: [{ name: 'late' }] }],
  ['input', { type: 'message', role: 'critic', content: 'Bad.' }],
  ['input', { type: 'from_the_future', payload: { deep: [1, { two: 3 }] } }],
  ['inputPart', { type: 'input_image', file_id: 'file-1' }],
  ['inputPart', { type: 'input_image', image_url: 'no link' }],
  ['inputPart', { type: 'input_video', video_url: 'https://example.org/a.mp4' }],
  ['blockOfReply', { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'fish' } }],
  ['blockOfReply', { type: 'web_search_tool_result', tool_use_id: 's', content: [{ url: 'https://a' }] }],
  ['blockOfReply', { type: 'mcp_tool_use', id: 'm', name: 'n', server_name: 's', input: {} }],
  ['blockOfReply', { type: 'compaction', content: 'In short: fish.' }],
  ['blockOfUser', { type: 'search_result', source: 'https://a', title: 't', content: [] }],
  ['blockOfUser', { type: 'document', source: { type: 'file', file_id: 'file_1' } }],
  ['blockOfUser', { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'x' }] } }],
  ['blockOfUser', { type: 'container_upload', file_id: 'file_1' }],
  ['blockOfUser', { type: 'image', source: { type: 'url', url: 'no link' } }],
  ['blockOfResult', { type: 'search_result', source: 'https://a', title: 't', content: [] }],
  ['blockOfResult', { type: 'tool_reference', tool_name: 'late' }],
  ['chatPart', { type: 'file', file: { file_id: 'file-1' } }],
  ['chatPart', { type: 'video_url', video_url: { url: 'https://example.org/a.mp4' } }],
  ['chatPart', { type: 'input_audio', input_audio: {} }],
  ['chatPart', { type: 'image_url' }],
  ['chatReply', { content: null, audio: { id: 'audio_1' } }],
  ['chatReply', { content: [{ type: 'canvas', id: 'c', body: 'x' }] }],
  ['chatReply', { tool_calls: [{ id: 'c', type: 'odd', odd: { name: 'x' } }] }],
]

describe.each(kinds)('%s: %j', (place, item) => {
  const whole = around[place]

  it('given another item there, or none, then the chain is another', async () => {
    const said = await end(whole(item).messages)
    const changed = await end(whole(otherThan(item)).messages)
    const gone = await end(whole({ type: 'text', text: '', content: [] }).messages)
    expect(new Set([said, changed, gone]).size).toBe(3)
  })

  it('given the same item as clients send it again, then the chain is the same', async () => {
    // the position of a field says nothing; ids and states change from call to call, and marks move
    const again = Object.fromEntries(Object.entries(item).toReversed())
    const isKnownById = item.type === 'item_reference'
    const marked = isKnownById
      ? again
      : { ...again, status: 'in_progress', cache_control: { type: 'ephemeral' } }
    if (place !== 'chatReply') expect(await end(whole(marked).messages)).toBe(await end(whole(item).messages))
    expect(await end(whole(again).messages)).toBe(await end(whole(item).messages))
  })
})

/** The same item with one other word in it. */
function otherThan(item: unknown): unknown {
  let isChanged = false
  const changed = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((one) => changed(one))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([name, one]) => [name, changed(one, name)]),
      )
    if (isChanged || ['type', 'role', 'status'].includes(key)) return value
    if (
      key === 'id' &&
      (item as { type?: string }).type !== 'item_reference' &&
      Object.keys(item as object).length > 2
    )
      return value
    if (typeof value === 'string') {
      isChanged = true
      return `${value}-other`
    }
    return value
  }
  const other = changed(item)
  return isChanged ? other : { ...(other as object), more: 'other' }
}

describe('a reply with items of its provider', () => {
  const output = [
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'e' },
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action },
    { type: 'shell_call', id: 'sh_1', call_id: 'c', status: 'completed', action: { commands: ['ls'] } },
    { type: 'shell_call_output', id: 'so_1', call_id: 'c', output: [{ stdout: 'a' }] },
    {
      type: 'message',
      id: 'msg_1',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'A fish.', annotations: [] }],
    },
  ]
  const answer = { id: 'r1', object: 'response', model: 'm', status: 'completed', output }
  const inResponses = () => {
    const collector = responses.collect()
    const events = output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
      ...(item.type === 'message'
        ? [{ type: 'response.output_text.delta', output_index, delta: 'A fish.' }]
        : []),
      { type: 'response.output_item.done', output_index, item },
    ])
    for (const event of [...events, { type: 'response.completed', response: answer }])
      collector.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`))
    return [collector.end(), responses.readReply(answer)]
  }
  const blocks = [
    { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'fish' } },
    { type: 'web_search_tool_result', tool_use_id: 's', content: [{ type: 'web_search_result', url: 'a' }] },
    { type: 'compaction', content: 'In short: fish.' },
    { type: 'text', text: 'A fish.' },
  ]
  const inMessages = () => {
    const collector = messages.collect()
    const [use, result, compaction, text] = blocks
    const block = (index: number, content_block: unknown, ...deltas: object[]) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]
    const events = [
      ...block(
        0,
        { ...use, input: {} },
        { type: 'input_json_delta', partial_json: '{"query":' },
        { type: 'input_json_delta', partial_json: '"fish"}' },
      ),
      ...block(1, result),
      ...block(
        2,
        { ...compaction, content: null },
        { type: 'compaction_delta', content: 'In short' },
        { type: 'compaction_delta', content: ': fish.' },
      ),
      ...block(3, { ...text, text: '' }, { type: 'text_delta', text: 'A fish.' }),
      { type: 'message_stop' },
    ]
    for (const event of events) collector.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`))
    return [collector.end(), messages.readReply({ type: 'message', content: blocks })]
  }

  it.each([
    [
      'responses',
      inResponses,
      () => responses.readCall({ model: 'm', input: output.map(({ id: _, ...item }) => item) }),
    ],
    [
      'messages',
      inMessages,
      () => messages.readCall({ model: 'm', messages: [{ role: 'assistant', content: blocks }] }),
    ],
    [
      'chat completions',
      () => {
        const audio = { id: 'audio_1', data: 'aGk=', transcript: 'Hi', expires_at: 1 }
        const message = { role: 'assistant', content: null, audio }
        return [chatCompletions.readReply({ choices: [{ message, finish_reason: 'stop' }] })]
      },
      () => around.chatReply({ audio: { id: 'audio_1' } }),
    ],
  ])('of %s, given that the client sends it back, then it is the same message', async (_, replies, sent) => {
    const chain = linksOf(sent().messages.filter(({ role }) => role !== 'user'))
    for (const reply of replies()) expect(await end(linksOf(sentBack(reply.message)))).toBe(await end(chain))
  })
})

describe('instructions amid a conversation', () => {
  const words = ['Be brief.', 'Hi', 'Ho', 'Now be long.', 'Go on']
  const chat = (roles: string[]) => roles.map((role, at) => ({ role, content: words[at] }))
  const roles = ['system', 'user', 'assistant', 'system', 'user']
  const developer = roles.map((role) => (role === 'system' ? 'developer' : role))
  const inChat = (said: object[]) => chatCompletions.readCall({ model: 'm', messages: said })
  it.each([
    ['chat completions', () => inChat(chat(developer))],
    ['responses', () => responses.readCall({ model: 'm', input: chat(developer) })],
    ['messages', () => messages.readCall({ model: 'm', messages: chat(roles) })],
  ])('of %s keep their place, and those at the beginning are the context', async (_, read) => {
    const { system, messages: said } = read()
    expect(system).toEqual(['Be brief.'])
    expect(said.map(({ role }) => role)).toEqual(['user', 'assistant', 'system', 'user'])
    const moved = inChat(chat(developer)).messages
    expect(await end(said)).not.toBe(await end([moved[0], moved[2], moved[1], moved[3]] as ModelMessage[]))
  })

  it('given tools that the input brings before anything is said, then they are tools of the call', () => {
    const exec = { type: 'custom', name: 'exec', description: 'Runs it' }
    const tools = [{ type: 'namespace', name: 'functions', tools: [exec] }]
    const call = responses.readCall({
      model: 'm',
      input: [{ type: 'additional_tools', role: 'developer', tools }, user('Hi')],
    })
    expect(call.tools).toMatchObject([{ name: 'exec', description: 'Runs it' }])
    expect(call.messages).toHaveLength(1)
  })

  it('given a model of another protocol, then they are told before, and what has no counterpart is named', () => {
    const { messages: said } = messages.readCall({
      model: 'm',
      messages: [
        { role: 'user', content: [{ type: 'container_upload', file_id: 'f' }] },
        { role: 'system', content: 'Be brief.' },
        { role: 'assistant', content: [{ type: 'compaction', content: 'x' }] },
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 's' },
            { type: 'text', text: 'So.' },
          ],
        },
      ],
    })
    const named = '[A part of the type "container_upload" stood here: this model cannot read it.]'
    expect(translatable(said)).toEqual({
      system: ['Be brief.'],
      messages: [
        { role: 'user', content: [{ type: 'text', text: named }] },
        { role: 'assistant', content: [{ type: 'text', text: 'So.' }] },
      ],
    })
  })
})

describe('a request that a provider of its protocol may understand', () => {
  it.each([
    ['messages.0 is no object', chatCompletions, { messages: ['Hi', 7, null] }],
    ['an unknown role', chatCompletions, { messages: [{ role: 'critic', content: 'x' }] }],
    ['a content that is an object', messages, { messages: [{ role: 'user', content: { type: 'odd' } }] }],
    ['blocks that are none', messages, { messages: [{ role: 'assistant', content: [7, null, 'x'] }] }],
    [
      'a thread that goes on',
      messages,
      { messages: [], thread: { type: 'continue', previous_message_id: 'm' } },
    ],
    [
      'settings of other types',
      messages,
      { messages: [user('Hi')], system: 7, tools: 'none', stream: 'yes' },
    ],
    ['items that are none', responses, { input: ['Hi', 7, null, [], { type: 7 }] }],
    ['an output that is an object', responses, { input: [{ type: 'function_call_output', output: {} }] }],
    ['a stored prompt in place of an input', responses, { prompt: { id: 'pmpt_1' } }],
    ['a conversation without an input', responses, { conversation: 'conv_1', instructions: 7 }],
  ])('given %s, then it is read', (_, protocol, body) => {
    expect(() => protocol.readCall({ model: 'm', ...body })).not.toThrow()
  })
})
