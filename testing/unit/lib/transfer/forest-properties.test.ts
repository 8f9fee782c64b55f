import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ForeignChat } from '@/lib/transfer'
import { chatFormats, gatheredFormats } from '@/lib/transfer/formats'
import { Problems } from '@/lib/transfer/tree/problems'

/** Few ids, so that nodes meet: as parents, as each other's children, twice. */
const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g')
const parents = fc.option(fc.oneof(ids, fc.constantFrom('gone', '')), { nil: null })
const said = fc.constantFrom('', ' ', 'yes', 'no', 'maybe', '<details type="reasoning">x</details>')
const times = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.string(),
  fc.constantFrom(null, 1700000000, '2024-01-01T00:00:00Z'),
)
const junk = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(null))

const run = (value: Record<string, unknown>): ForeignChat => {
  const format = chatFormats.find(({ recognises }) => recognises(value))
  if (!format) throw new Error('No format reads this')
  return format.read(value, { problems: new Problems(), findEntry: () => null, fileName: 'file', place: 0 })
}

const gathered = (source: string, values: readonly unknown[]): ForeignChat => {
  const format = gatheredFormats.find((one) => one.source === source)
  const gatherer = format?.gather({ findEntry: () => null, fileName: 'file', place: 0 })
  for (const value of values) gatherer?.add(value, 1)
  const chat = gatherer?.end()
  if (!chat) throw new Error(`Nothing is gathered of ${source}`)
  return chat
}

/** What holds for every chat, however broken its file is. */
function expectForest(chat: ForeignChat, found?: number): void {
  const seen = new Set<string>()
  for (const { id, parentId, parts, createdAt } of chat.messages) {
    expect(seen.has(id)).toBe(false)
    if (parentId !== null) expect(seen.has(parentId)).toBe(true)
    seen.add(id)
    expect(parts.length).toBeGreaterThan(0)
    for (const part of parts) if (part.type === 'dynamic-tool') expect(part.state).toMatch(/^output-/)
    if (createdAt) expect(Number.isNaN(createdAt.getTime())).toBe(false)
  }
  const held = chat.messages.reduce((sum, message) => sum + message.held, 0)
  expect(held + chat.counts.skipped).toBe(chat.counts.found)
  if (found !== undefined) expect(chat.counts.found + chat.counts.empty).toBe(found)
  if (chat.counts.skipped > 0) expect(chat.problems).not.toEqual([])
  for (const id of [chat.currentId, ...chat.branches.map(({ headId }) => headId)])
    if (id !== null) expect(seen.has(id)).toBe(true)
}

const chatgptContent = fc.oneof(
  fc.record({
    content_type: fc.constantFrom('text', 'multimodal_text'),
    parts: fc.array(fc.oneof(said, junk), { maxLength: 3 }),
  }),
  fc.record({
    content_type: fc.constantFrom('code', 'execution_output', 'system_error', 'tether_quote', 'unheard_of'),
    text: said,
  }),
  fc.record({
    content_type: fc.constant('thoughts'),
    thoughts: fc.array(fc.record({ content: said }), { maxLength: 2 }),
  }),
  fc.record({ content_type: fc.constant('reasoning_recap'), content: said }),
  junk,
)
const chatgptNode = fc.record({
  parent: parents,
  children: fc.array(ids, { maxLength: 3 }),
  message: fc.option(
    fc.record({
      author: fc.record({
        role: fc.constantFrom('user', 'assistant', 'system', 'tool', 'critic'),
        name: fc.constantFrom('python', null),
      }),
      content: chatgptContent,
      recipient: fc.constantFrom('all', 'python', undefined),
      create_time: times,
      metadata: junk,
    }),
    { nil: null },
  ),
})

test('any mapping of ChatGPT becomes a forest that holds or counts each of its nodes', () => {
  fc.assert(
    fc.property(
      fc.dictionary(ids, fc.oneof({ weight: 9, arbitrary: chatgptNode }, { weight: 1, arbitrary: junk })),
      parents,
      (mapping, current_node) => {
        expectForest(run({ title: 'x', mapping, current_node }), Object.keys(mapping).length)
      },
    ),
    { numRuns: 400 },
  )
})

test('any messages of Claude become a forest that holds or counts each of them', () => {
  const block = fc.oneof(
    fc.record({
      type: fc.constantFrom('text', 'thinking', 'voice_note', 'token_budget', 'odd'),
      text: said,
      thinking: said,
    }),
    fc.record({
      type: fc.constant('tool_use'),
      id: fc.constantFrom('t1', null),
      name: fc.constantFrom('find', 'look'),
      input: junk,
    }),
    fc.record({
      type: fc.constant('tool_result'),
      tool_use_id: fc.constantFrom('t1', 't9', null),
      name: fc.constantFrom('find', 'look'),
      content: junk,
      is_error: fc.boolean(),
    }),
    junk,
  )
  const message = fc.record(
    {
      ...{
        uuid: fc.option(ids),
        parent_message_uuid: parents,
        sender: fc.constantFrom('human', 'assistant', 'ghost'),
      },
      ...{ text: said, content: fc.oneof(fc.array(block, { maxLength: 4 }), junk), created_at: times },
      ...{
        attachments: fc.oneof(junk, fc.array(fc.record({ file_name: said, extracted_content: said }))),
        files: junk,
      },
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 9, arbitrary: message }, { weight: 1, arbitrary: junk }), {
        maxLength: 12,
      }),
      (chat_messages) => {
        expectForest(run({ uuid: 'c', name: '', chat_messages }), chat_messages.length)
      },
    ),
    { numRuns: 400 },
  )
})

test('any list of LibreChat, nested or not, becomes a forest that holds or counts each of its messages', () => {
  type Nested = { children?: Nested[] }
  const { message } = fc.letrec<{ message: Nested }>((tie) => ({
    message: fc.record(
      {
        ...{
          messageId: fc.option(ids),
          parentMessageId: parents,
          isCreatedByUser: fc.boolean(),
          text: said,
          createdAt: times,
        },
        ...{
          content: junk,
          files: junk,
          children: fc.array(tie('message'), { maxLength: 2, depthIdentifier: 'x' }),
        },
      },
      { requiredKeys: ['isCreatedByUser'] },
    ),
  }))
  const size = (list: readonly Nested[]): number =>
    list.reduce((sum, { children = [] }) => sum + 1 + size(children), 0)
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 4 }), (messages) => {
      expectForest(run({ conversationId: 'l', title: 'x', messages }), size(messages))
    }),
    { numRuns: 300 },
  )
})

test('any history of Open WebUI and any session of llama.cpp become forests that hold or count each message', () => {
  const role = fc.constantFrom('user', 'assistant', 'system', 'tool', 'odd')
  const common = { role, content: fc.oneof(said, junk), timestamp: times }
  const webui = fc.record(
    { ...common, parentId: parents, output: junk, files: junk, error: junk },
    { requiredKeys: [] },
  )
  const llama = fc.record(
    { ...common, id: fc.option(ids), parent: parents, toolCalls: fc.oneof(said, junk), extra: junk },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.dictionary(ids, webui), parents, (messages, currentId) => {
      expectForest(run({ chat: { history: { messages, currentId } } }), Object.keys(messages).length)
    }),
    { numRuns: 300 },
  )
  fc.assert(
    fc.property(fc.array(llama, { maxLength: 10 }), parents, (messages, currNode) => {
      expectForest(run({ conv: { id: 'x', currNode }, messages }), messages.length)
    }),
    { numRuns: 300 },
  )
})

test('any list of messages becomes a chain, or a forest, that holds or counts each of them', () => {
  const block = fc.oneof(
    fc.record({ type: fc.constantFrom('text', 'reasoning', 'odd'), text: said }),
    fc.record({ type: fc.constant('tool_use'), id: fc.constantFrom('t1', 't2'), name: said, input: junk }),
    fc.record({ type: fc.constant('tool_result'), tool_use_id: fc.constantFrom('t1', 't2'), content: junk }),
    fc.record({
      type: fc.constant('tool-look'),
      toolCallId: ids,
      state: fc.constantFrom('output-available', 'input-streaming', 'odd'),
    }),
    fc.record({
      type: fc.constantFrom('image_url', 'image', 'file', 'source-url'),
      image_url: junk,
      url: said,
      data: said,
    }),
    junk,
  )
  const message = fc.record(
    {
      ...{
        role: fc.constantFrom('user', 'assistant', 'system', 'tool', 'ghost'),
        id: fc.option(ids),
        parentId: parents,
      },
      ...{
        content: fc.oneof(said, fc.array(block, { maxLength: 4 }), junk),
        tool_calls: junk,
        tool_call_id: fc.constantFrom('t1', 't3'),
      },
      ...{ createdAt: times, reasoning_content: said },
    },
    { requiredKeys: ['role'] },
  )
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 9, arbitrary: message }, { weight: 1, arbitrary: junk }), {
        maxLength: 10,
      }),
      (messages) => {
        expectForest(gathered('messages', messages), messages.length)
      },
    ),
    { numRuns: 400 },
  )
})

test('any lines of SillyTavern, and any states of LangGraph, become forests', () => {
  const line = fc.record(
    {
      name: said,
      is_user: fc.boolean(),
      mes: said,
      send_date: times,
      swipes: fc.array(fc.oneof(said, junk)),
      swipe_id: fc.integer(),
      swipe_info: junk,
      extra: junk,
    },
    { requiredKeys: ['mes'] },
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(line, junk), { maxLength: 8 }), (lines) =>
      expectForest(gathered('sillytavern', lines)),
    ),
  )
  const message = fc.record({
    type: fc.constantFrom('human', 'ai', 'tool', 'odd'),
    id: fc.option(ids),
    content: said,
  })
  const state = fc.record({
    values: fc.record({
      messages: fc.array(fc.oneof({ weight: 9, arbitrary: message }, { weight: 1, arbitrary: junk }), {
        maxLength: 5,
      }),
    }),
    created_at: times,
    metadata: fc.record({ step: fc.oneof(fc.integer(), junk) }),
  })
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 9, arbitrary: state }, { weight: 1, arbitrary: junk }), { maxLength: 6 }),
      (states) => expectForest(gathered('langgraph', states)),
    ),
  )
})

test('a chain of twenty thousand messages, and as many siblings, are no depth to fall into', () => {
  const chain = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [
      `m${index}`,
      {
        parent: index === 0 ? null : `m${index - 1}`,
        message: { author: { role: 'user' }, content: { content_type: 'text', parts: ['x'] } },
      },
    ]),
  )
  expect(run({ mapping: chain }).messages).toHaveLength(20_000)
  const siblings = Object.fromEntries(
    Object.entries(chain).map(([id, node]) => [id, { ...node, parent: null }]),
  )
  expect(run({ mapping: siblings }).messages).toHaveLength(20_000)
})
