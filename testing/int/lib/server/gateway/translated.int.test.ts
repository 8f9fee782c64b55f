// An agent whose model speaks another protocol: what of its settings reaches the provider, also where a person has moved it.

import { describe, expect, it } from 'vitest'
import { steerTo } from '@/lib/conversations'
import { messagesStream, responsesStream } from '@/testing/fixtures/provider-replies'
import { tasksAfter } from '@/testing/worlds/framework'
import { useGateway } from '@/testing/worlds/gateway-world'

const tasks = tasksAfter()

describe('a call that is translated', () => {
  const gateway = useGateway('pglite', { env: () => ({ HOST: 'localhost' }) })

  /** Asks; answers what the provider was asked, once. */
  const ask = async (path: string, body: object) => {
    gateway.given.answer = ({ path: asked }) => ({
      pieces: (asked.startsWith('/v1/messages') ? messagesStream : responsesStream)({ text: 'Bream.' }),
    })
    const before = gateway.provider.arrivals
    const response = await gateway.post(path, body)
    const told = await response.text()
    expect([response.status, told]).toEqual([200, told])
    await Promise.all(tasks)
    expect(gateway.provider.arrivals - before).toBe(1)
    const [chatId = '', branchId = '', messageId = ''] = ['chat', 'branch', 'message'].map(
      (part) => response.headers.get(`x-ramify-${part}`) ?? '',
    )
    return { chatId, branchId, messageId, sent: gateway.provider.requests.at(-1)?.body }
  }

  const claudeCode = {
    model: 'gpt-5.5',
    max_tokens: 64,
    service_tier: 'priority',
    metadata: { user_id: 'ada' },
    output_config: { effort: 'high' },
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    tools: [{ name: 'look', input_schema: { type: 'object' } }],
    messages: [{ role: 'user', content: 'Fish?' }],
  }

  it('of Claude Code keeps what OpenAI has a word for, and OpenAI keeps nothing of it', async () => {
    const { sent } = await ask('messages', claudeCode)
    expect(sent).toMatchObject({
      store: false,
      service_tier: 'priority',
      safety_identifier: 'ada',
      parallel_tool_calls: false,
      reasoning: { effort: 'high' },
      max_output_tokens: 64,
      tool_choice: 'auto',
    })
  })

  it('of Codex keeps what Anthropic has a word for', async () => {
    const { sent } = await ask('responses', {
      model: 'claude-opus-4-8',
      input: 'Fish?',
      store: false,
      parallel_tool_calls: false,
      user: 'ada',
      reasoning: { effort: 'high' },
      service_tier: 'from the future',
      text: { verbosity: 7 },
      tools: [{ type: 'function', name: 'look', parameters: { type: 'object' } }],
    })
    expect(sent).toMatchObject({
      metadata: { user_id: 'ada' },
      tool_choice: { disable_parallel_tool_use: true },
    })
    expect(sent.thinking).toBeUndefined()
  })

  it('is asked once where a person has moved it, without calls that nothing has answered', async () => {
    const called = { type: 'tool_use', id: 'c1', name: 'look', input: {} }
    const messages = [
      ...[
        ...claudeCode.messages,
        { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, called] },
      ],
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'Bream' }] },
    ]
    const place = await ask('messages', { ...claudeCode, messages })
    const { store } = gateway.world.services.ports
    const [, calling] = await store.getMessageChain(place.chatId, place.messageId)
    await steerTo(gateway.world.services.ports, {
      ownerId: gateway.person.id,
      chatId: place.chatId,
      agentId: place.branchId,
      branchId: place.branchId,
      messageId: calling?.id ?? '',
      text: 'Do not look.',
    })
    const next = [...messages, { role: 'assistant', content: 'Bream.' }, { role: 'user', content: 'Go on' }]
    const { sent } = await ask('messages', { ...claudeCode, messages: next })
    const said = JSON.stringify(sent.input)
    for (const words of ['I look.', 'Do not look.', 'This conversation was moved', 'Go on'])
      expect(said).toContain(words)
    expect(said).not.toContain('c1')
    expect(sent).toMatchObject({ store: false, reasoning: { effort: 'high' } })
  })
})
