import { describe, expect, it } from 'vitest'
import type { AgentProtocol } from './agent-call'
import { CallRefusedError } from './protocols/protocol'
import { checkSharedKey } from './shared-key'

const said = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
const asked = { model: 'm', input: 'hi' }
const part = (fields: object) => [{ role: 'user', content: [fields] }]

describe('a call on a key of the server', () => {
  it.each<[AgentProtocol, object, string]>([
    ['chat-completions', { ...said, store: true }, 'store'],
    ['chat-completions', { ...said, service_tier: 'priority' }, 'service_tier'],
    ['chat-completions', { ...said, models: ['dearer'] }, 'models'],
    ['chat-completions', { ...said, web_search_options: {} }, 'web_search_options'],
    [
      'chat-completions',
      { ...said, messages: part({ type: 'file', file: { file_id: 'file-1' } }) },
      'messages.0.content.0.file_id',
    ],
    ['responses', { ...asked, background: true }, 'background'],
    ['responses', { ...asked, prompt: { id: 'pmpt_1' } }, 'prompt'],
    ['responses', { ...asked, conversation: 'conv_1' }, 'conversation'],
    ['responses', { ...asked, input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input.0.type'],
    [
      'responses',
      { ...asked, input: part({ type: 'input_file', file_id: 'f' }) },
      'input.0.content.0.file_id',
    ],
    ['responses', { ...asked, tools: [{ type: 'file_search', vector_store_ids: ['v'] }] }, 'tools.0.type'],
    ['responses', { ...asked, tools: [{ type: 'mcp', server_url: 'http://a' }] }, 'tools.0.type'],
    ['messages', { ...said, container: 'c' }, 'container'],
    ['messages', { ...said, mcp_servers: [] }, 'mcp_servers'],
    ['messages', { ...said, tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'tools.0.type'],
    [
      'messages',
      { ...said, messages: part({ type: 'document', source: { type: 'file', file_id: 'f' } }) },
      'messages.0.content.0.file_id',
    ],
  ])('of %s, given %j, is refused with the field %s', (protocol, body, field) => {
    expect(() => checkSharedKey(protocol, { ...body })).toThrow(CallRefusedError)
    expect(() => checkSharedKey(protocol, { ...body })).toThrow(expect.objectContaining({ param: field }))
  })

  it.each<[AgentProtocol, object]>([
    [
      'chat-completions',
      { ...said, n: 2, store: false, service_tier: 'auto', stream_options: null, seed: 1 },
    ],
    [
      'chat-completions',
      { ...said, tools: [{ type: 'function', function: { name: 'f' } }, { function: {} }] },
    ],
    [
      'responses',
      { ...asked, store: false, include: ['reasoning.encrypted_content'], tools: [{ type: 'custom' }] },
    ],
    ['messages', { ...said, system: [], thinking: {}, tools: [{ name: 'a' }, { type: 'bash_20250124' }] }],
    // what a tool was given or said may have any names
    ['messages', { ...said, messages: part({ type: 'tool_use', input: { file_id: 'mine' } }) }],
  ])('of %s, given what decides a reply, passes', (protocol, body) => {
    expect(() => checkSharedKey(protocol, { ...body })).not.toThrow()
  })
})
