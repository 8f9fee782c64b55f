// A person moves an agent between two of its calls: what its provider is asked then, in each protocol, byte for byte.

import { describe, expect, it } from 'vitest'
import {
  archiveBranch,
  mergeBranches,
  pickMessages,
  steerAgent,
  steerTo,
  unarchiveBranch,
} from '@/lib/conversations'
import {
  chatStream,
  chatWhole,
  type GivenReply,
  messagesStream,
  messagesWhole,
  responsesStream,
  responsesWhole,
} from '@/testing/fixtures/provider-replies'
import type { ProviderRequest } from '@/testing/machines/provider-server'
import { tasksAfter } from '@/testing/worlds/framework'
import { useGateway } from '@/testing/worlds/gateway-world'
import { pairFaults, wordsIn } from '@/testing/worlds/sent-pairs'

type Item = Record<string, unknown>

const tasks = tasksAfter()

const note = expect.stringMatching(/^This conversation was moved/)
const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const signed = { type: 'thinking', thinking: 'Hm.', signature: 'sig-1' }
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const image = { type: 'base64', media_type: 'image/png', data: PNG }

/** How a client of a protocol sends a conversation with all that it may hold. */
interface Speaker {
  path: string
  stream: (reply: GivenReply) => string[]
  whole: (reply: GivenReply) => string[]
  /** everything but the messages */
  rest: Item
  headers: Record<string, string>
  field: string
  /** what stands before anything is said */
  head: Item[]
  user: (text: string) => Item
  /** a reply that calls a tool by an id, as the client sends it back, with all that its provider wants back */
  calling: (id: string) => Item[]
  answer: (id: string, text: string) => Item
  reply: (text: string) => Item[]
  /** what a person writes in Ramify */
  written: (text: unknown) => Item
}

const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
const speakers: Record<string, Speaker> = {
  'chat completions': {
    path: 'chat/completions',
    stream: chatStream,
    whole: chatWhole,
    field: 'messages',
    rest: {
      model: 'gpt-4.1',
      service_tier: 'flex',
      store: false,
      metadata: { run: 'r1' },
      seed: 7,
      reasoning_effort: 'high',
      parallel_tool_calls: false,
      from_the_future: { a: [1] },
      tools,
    },
    headers: { 'x-of-tomorrow': 'yes', 'openai-beta': 'a=b' },
    head: [{ role: 'developer', content: 'You know fish.', name: 'boss' }],
    user: (content) => ({ role: 'user', content, name: 'ada' }),
    calling: (id) => [
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Hm.',
        refusal: null,
        tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{ "at": 1.0 }' } }],
      },
    ],
    answer: (tool_call_id, content) => ({ role: 'tool', tool_call_id, content }),
    reply: (content) => [{ role: 'assistant', content, annotations: [], refusal: null }],
    written: (content) => ({ role: 'user', content }),
  },
  responses: {
    path: 'responses',
    stream: responsesStream,
    whole: responsesWhole,
    field: 'input',
    rest: {
      model: 'gpt-4.1',
      instructions: 'Be brief.',
      store: false,
      service_tier: 'flex',
      reasoning: { effort: 'high', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: 'k',
      text: { verbosity: 'low' },
      client_metadata: { x: '1' },
      tools: [{ type: 'web_search' }, { type: 'custom', name: 'patch' }],
    },
    headers: { originator: 'codex_exec', 'x-codex-turn-metadata': '{}' },
    head: [
      { type: 'additional_tools', role: 'developer', tools: [{ type: 'function', name: 'look' }] },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'You know fish.' }] },
    ],
    user: (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
    calling: (call_id) => [
      { type: 'reasoning', id: `rs_${call_id}`, summary: [], content: null, encrypted_content: 'gAAA' },
      { type: 'web_search_call', id: `ws_${call_id}`, status: 'completed', action: { type: 'search' } },
      {
        type: 'function_call',
        id: `fc_${call_id}`,
        call_id,
        name: 'look',
        namespace: 'sea',
        arguments: '{"at":1}',
      },
    ],
    answer: (call_id, output) => ({ type: 'function_call_output', call_id, output }),
    reply: (text) => [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        phase: 'final',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    written: (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
  },
  messages: {
    path: 'messages?beta=true',
    stream: messagesStream,
    whole: messagesWhole,
    field: 'messages',
    rest: {
      model: 'claude-opus-4-8',
      max_tokens: 64_000,
      metadata: { user_id: 'u' },
      service_tier: 'auto',
      thinking: { type: 'enabled', budget_tokens: 10_000 },
      system: [{ type: 'text', text: 'You know fish.', ...mark }],
      tools: [
        { type: 'web_search_20260209', name: 'web_search' },
        { name: 'look', input_schema: {} },
      ],
      context_management: { edits: [] },
      output_config: { effort: 'high' },
    },
    headers: { 'anthropic-beta': 'oauth-2025-04-20,interleaved-thinking', 'anthropic-version': '2023-06-01' },
    head: [],
    user: (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
    calling: (id) => [
      {
        role: 'assistant',
        content: [
          signed,
          { type: 'redacted_thinking', data: 'xx' },
          { type: 'server_tool_use', id: `srv_${id}`, name: 'web_search', input: { query: 'fish' } },
          { type: 'web_search_tool_result', tool_use_id: `srv_${id}`, content: [] },
          { type: 'tool_use', id, name: 'look', input: { at: 1 }, caller: { type: 'direct' } },
        ],
      },
    ],
    answer: (tool_use_id, text) => ({
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id,
          content: [
            { type: 'text', text },
            { type: 'image', source: image },
          ],
        },
      ],
    }),
    reply: (text) => [{ role: 'assistant', content: [signed, { type: 'text', text, citations: null }] }],
    written: (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
  },
}

describe.each(Object.entries(speakers))('a moved agent that speaks %s', (_, speaker) => {
  // keys of a laptop are its owner's
  const gateway = useGateway('pglite', { env: () => ({ HOST: 'localhost' }) })
  const { head, user, calling, answer, reply, written, rest, field } = speaker

  /** Asks with these items, and more fields; answers what the provider was asked, once. */
  const ask = async (items: Item[], says: string, more: Item = {}, headers: Record<string, string> = {}) => {
    gateway.given.answer = ({ body }) => ({
      pieces: speaker[body.stream ? 'stream' : 'whole']({ text: says }),
    })
    const before = gateway.provider.arrivals
    const body = { ...rest, limit: 'LIMIT', ...more, [field]: [...head, ...items] }
    const response = await gateway.post(speaker.path, JSON.stringify(body).replace('"LIMIT"', '1.0'), {
      ...speaker.headers,
      ...headers,
    })
    const told = await response.text()
    expect([response.status, told]).toEqual([200, told])
    await Promise.all(tasks)
    expect(gateway.provider.arrivals - before).toBe(1)
    const sent = gateway.provider.requests.at(-1) as ProviderRequest
    expect(sent.headers).toMatchObject(speaker.headers)
    expect(sent.headers['x-ramify-key']).toBeUndefined()
    const { [field]: asked, ...others } = sent.body as Item
    expect(others).toEqual({ ...rest, limit: 1, ...more })
    expect(pairFaults(field, asked as Item[])).toEqual([])
    const [chatId = '', branchId = '', messageId = ''] = ['chat', 'branch', 'message'].map((part) =>
      response.headers.get(`x-ramify-${part}`),
    ) as string[]
    return { chatId, branchId, messageId, asked: asked as Item[], text: sent.text }
  }
  type Place = Pick<Awaited<ReturnType<typeof ask>>, 'chatId' | 'branchId' | 'messageId'>

  const said = [user('Fish?'), ...calling('c1'), answer('c1', 'Bream'), ...reply('Bream it is.')]
  const long = [...said, user('Sure?'), ...calling('c2'), answer('c2', 'Sole')]
  const next = [...long, ...reply('Sole.'), user('Go on')]

  /** An agent that has called, and a branch of another one that begins in the middle of it. */
  const begun = async (more: Item) => {
    await ask([...said, user('Sure?')], 'Look.', more)
    const place = await ask(long, 'Sole.', more)
    const beside = await ask([...said, user('Other?')], 'Otherwise.', more)
    const { store } = gateway.world.services.ports
    const chain = await store.getMessageChain(place.chatId, place.messageId)
    return { place, beside, ids: chain.map(({ id }) => id) }
  }
  const ports = () => gateway.world.services.ports
  const owner = () => ({ ownerId: gateway.person.id })
  const steer = ({ chatId, branchId: agentId }: Place, to: Partial<Place>, text?: string) =>
    steerTo(ports(), {
      ...owner(),
      chatId,
      agentId,
      branchId: to.branchId ?? agentId,
      messageId: to.messageId ?? '',
      ...(text !== undefined && { text }),
    })

  describe.each([{ stream: false }, { stream: true }])('%j', (more) => {
    it('is asked once, with its own items, what the person says in the middle, and all its own fields', async () => {
      const { place, ids } = await begun(more)
      await steer(place, { messageId: ids[3] ?? '' }, 'Only sea fish.')
      const { asked, text } = await ask(next, 'On it.', more)
      expect(asked).toEqual([
        ...[...head, ...said],
        ...[written('Only sea fish.'), written(note), user('Go on')],
      ])
      // numbers as they came
      expect(text).toContain('"limit":1.0')
      // and its calls after that are sent as it has them below that place
      const after = await ask([...next, ...reply('On it.'), user('More')], 'Done.', more)
      expect(after.asked).toEqual([...asked, ...reply('On it.'), user('More')])
    })

    it('goes on at the answer of a tool, which stands below its call, with the thoughts before it', async () => {
      const { place, ids } = await begun(more)
      await steer(place, { messageId: ids[2] ?? '' })
      const { asked } = await ask(next, 'On it.', more)
      const count = head.length + said.length - reply('').length
      expect(asked.slice(0, count - 1)).toEqual([...head, ...said].slice(0, count - 1))
      expect(wordsIn(asked).slice(-3)).toEqual([expect.anything(), note, 'Go on'])
    })

    it('goes on at a call that has no answer there: what it says stays', async () => {
      const { place, ids } = await begun(more)
      await steer(place, { messageId: ids[1] ?? '' })
      expect(wordsIn((await ask(next, 'On it.', more)).asked).slice(-2)).toEqual([note, 'Go on'])
    })

    it('goes on on a branch that it has never sent, restored, with what another agent was told there', async () => {
      const { place, beside } = await begun(more)
      const on = { ...owner(), chatId: place.chatId, branchId: beside.branchId }
      await archiveBranch(ports(), { ...on, switchTo: place.branchId })
      await unarchiveBranch(ports(), on)
      await steerAgent(ports(), { ...on, branch: place.branchId, to: beside.branchId })
      const { asked } = await ask(next, 'On it.', more)
      expect(asked.slice(0, head.length + said.length)).toEqual([...head, ...said])
      const words = wordsIn(asked.slice(head.length + said.length))
      expect(words).toEqual(['Other?', 'Otherwise.', note, 'Go on'])
    })

    it('goes on after a merge and after copies of messages that it has sent', async () => {
      const { place, beside, ids } = await begun(more)
      const { chatId } = place
      const merge = { ...owner(), chatId, sourceId: place.branchId, targetId: beside.branchId }
      await mergeBranches(ports(), { ...merge, mode: 'brief', brief: 'In short: sole.' })
      const messageIds = [ids[5] ?? '', ids[6] ?? '']
      await pickMessages(ports(), { ...owner(), chatId, branchId: beside.branchId, messageIds })
      await steerAgent(ports(), { ...owner(), chatId, branch: place.branchId, to: beside.branchId })
      const { asked } = await ask(next, 'On it.', more)
      expect(wordsIn(asked)).toEqual(
        expect.arrayContaining([expect.stringContaining('In short: sole.'), note]),
      )
      expect(asked).toEqual(expect.arrayContaining(calling('c2')))
    })
  })

  it('has its own credential go on to the provider, also with a long call', async () => {
    const { place, ids } = await begun({})
    await steer(place, { messageId: ids[3] ?? '' }, 'Only sea fish.')
    const own = { 'x-ramify-key': gateway.person.key, authorization: 'Bearer sk-ant-oat01-of-ada' }
    const tail = [...next, ...reply('Go on.'), user('x'.repeat(100_000))]
    const { asked } = await ask(tail, 'On it.', {}, own)
    expect(asked).toHaveLength(head.length + said.length + 2 + 1 + reply('').length + 1)
    expect(gateway.provider.requests.at(-1)?.headers.authorization).toBe(own.authorization)
  })
})
