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
const oneOf = fc.constantFrom
const list = <T>(of: fc.Arbitrary<T>, maxLength: number) => fc.array(of, { maxLength })
/** Nine times of ten what is meant, else anything. */
const mostly = <T>(meant: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: meant as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: junk })
/** Any of these fields may be missing, but for those that say what the value is. */
const loose = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }, ...needed: (keyof T)[]) =>
  fc.record(fields, { requiredKeys: needed })

const run = (value: Record<string, unknown>): ForeignChat => {
  const format = chatFormats.find(({ recognises }) => recognises(value))
  if (!format) throw new Error('No format reads this')
  const surroundings = { findEntry: () => null, fileName: 'file', place: 0, beside: {} }
  const read = format.read(value, { ...surroundings, problems: new Problems() })
  return [read].flat()[0] as ForeignChat
}

const gathered = (source: string, values: readonly unknown[]): ForeignChat => {
  const format = gatheredFormats.find((one) => one.source === source)
  const gatherer = format?.gather({ findEntry: () => null, fileName: 'file', place: 0, beside: {} })
  for (const value of values) gatherer?.add(value, 1)
  const chat = gatherer?.end()[0]
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

test('any mapping of ChatGPT becomes a forest that holds or counts each of its nodes', () => {
  const odd = oneOf('code', 'execution_output', 'system_error', 'tether_quote', 'unheard_of')
  const content = fc.oneof(
    fc.record({
      content_type: oneOf('text', 'multimodal_text'),
      parts: list(fc.oneof(said, junk), 3),
    }),
    fc.record({ content_type: odd, text: said }),
    fc.record({
      content_type: fc.constant('thoughts'),
      thoughts: list(fc.record({ content: said }), 2),
    }),
    fc.record({ content_type: fc.constant('reasoning_recap'), content: said }),
    junk,
  )
  const role = oneOf('user', 'assistant', 'system', 'tool', 'critic')
  const message = fc.record({
    author: fc.record({ role, name: oneOf('python', null) }),
    content,
    recipient: oneOf('all', 'python', undefined),
    create_time: times,
    metadata: junk,
  })
  const node = fc.record({
    parent: parents,
    children: list(ids, 3),
    message: fc.option(message, { nil: null }),
  })
  fc.assert(
    fc.property(fc.dictionary(ids, mostly(node)), parents, (mapping, current_node) => {
      expectForest(run({ title: 'x', mapping, current_node }), Object.keys(mapping).length)
    }),
    { numRuns: 400 },
  )
})

test('any messages of Claude become a forest that holds or counts each of them', () => {
  const kind = oneOf('text', 'thinking', 'voice_note', 'token_budget', 'odd')
  const name = oneOf('find', 'look')
  const block = fc.oneof(
    fc.record({ type: kind, text: said, thinking: said }),
    fc.record({ type: fc.constant('tool_use'), id: oneOf('t1', null), name, input: junk }),
    fc.record({
      type: fc.constant('tool_result'),
      tool_use_id: oneOf('t1', 't9', null),
      name,
      content: junk,
      is_error: fc.boolean(),
    }),
    junk,
  )
  const attached = fc.array(fc.record({ file_name: said, extracted_content: said }))
  const message = loose({
    uuid: fc.option(ids),
    parent_message_uuid: parents,
    sender: oneOf('human', 'assistant', 'ghost'),
    text: said,
    content: fc.oneof(list(block, 4), junk),
    created_at: times,
    attachments: fc.oneof(junk, attached),
    files: junk,
  })
  fc.assert(
    fc.property(list(mostly(message), 12), (chat_messages) => {
      expectForest(run({ uuid: 'c', name: '', chat_messages }), chat_messages.length)
    }),
    { numRuns: 400 },
  )
})

test('any list of LibreChat, nested or not, becomes a forest that holds or counts each of its messages', () => {
  type Nested = { children?: Nested[] }
  const { message } = fc.letrec<{ message: Nested }>((tie) => ({
    message: fc.record(
      {
        messageId: fc.option(ids),
        parentMessageId: parents,
        isCreatedByUser: fc.boolean(),
        text: said,
        createdAt: times,
        content: junk,
        files: junk,
        children: fc.array(tie('message'), { maxLength: 2, depthIdentifier: 'x' }),
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
  const role = oneOf('user', 'assistant', 'system', 'tool', 'odd')
  const common = { role, content: fc.oneof(said, junk), timestamp: times }
  const webui = loose({ ...common, parentId: parents, output: junk, files: junk, error: junk })
  const llama = loose({
    ...common,
    id: fc.option(ids),
    parent: parents,
    toolCalls: fc.oneof(said, junk),
    extra: junk,
  })
  fc.assert(
    fc.property(fc.dictionary(ids, webui), parents, (messages, currentId) => {
      expectForest(run({ chat: { history: { messages, currentId } } }), Object.keys(messages).length)
    }),
    { numRuns: 300 },
  )
  fc.assert(
    fc.property(list(llama, 10), parents, (messages, currNode) => {
      expectForest(run({ conv: { id: 'x', currNode }, messages }), messages.length)
    }),
    { numRuns: 300 },
  )
})

test('any list of messages becomes a chain, or a forest, that holds or counts each of them', () => {
  const state = oneOf('output-available', 'input-streaming', 'odd')
  const kind = oneOf('image_url', 'image', 'file', 'source-url')
  const block = fc.oneof(
    fc.record({ type: oneOf('text', 'reasoning', 'odd'), text: said }),
    fc.record({ type: fc.constant('tool_use'), id: oneOf('t1', 't2'), name: said, input: junk }),
    fc.record({ type: fc.constant('tool_result'), tool_use_id: oneOf('t1', 't2'), content: junk }),
    fc.record({ type: fc.constant('tool-look'), toolCallId: ids, state }),
    fc.record({ type: kind, image_url: junk, url: said, data: said }),
    junk,
  )
  const role = oneOf('user', 'assistant', 'system', 'tool', 'ghost')
  const message = loose(
    {
      role,
      id: fc.option(ids),
      parentId: parents,
      content: fc.oneof(said, list(block, 4), junk),
      tool_calls: junk,
      tool_call_id: oneOf('t1', 't3'),
      createdAt: times,
      reasoning_content: said,
    },
    'role',
  )
  fc.assert(
    fc.property(list(mostly(message), 10), (messages) => {
      expectForest(gathered('messages', messages), messages.length)
    }),
    { numRuns: 400 },
  )
})

test('any lines of SillyTavern, and any states of LangGraph, become forests', () => {
  const line = loose(
    {
      name: said,
      is_user: fc.boolean(),
      mes: said,
      send_date: times,
      swipe_info: junk,
      extra: junk,
      swipes: fc.array(fc.oneof(said, junk)),
      swipe_id: fc.integer(),
    },
    'mes',
  )
  fc.assert(
    fc.property(list(fc.oneof(line, junk), 8), (lines) => expectForest(gathered('sillytavern', lines))),
  )
  const type = oneOf('human', 'ai', 'tool', 'odd')
  const message = fc.record({ type, id: fc.option(ids), content: said })
  const state = fc.record({
    values: fc.record({ messages: list(mostly(message), 5) }),
    created_at: times,
    metadata: fc.record({ step: fc.oneof(fc.integer(), junk) }),
  })
  fc.assert(fc.property(list(mostly(state), 6), (states) => expectForest(gathered('langgraph', states))))
})

test('a chain of twenty thousand messages, and as many siblings, are no depth to fall into', () => {
  const message = { author: { role: 'user' }, content: { content_type: 'text', parts: ['x'] } }
  const mapping = (parentOf: (index: number) => string | null) =>
    Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`m${index}`, { parent: parentOf(index), message }]),
    )
  const chain = mapping((index) => (index === 0 ? null : `m${index - 1}`))
  for (const tree of [chain, mapping(() => null)])
    expect(run({ mapping: tree }).messages).toHaveLength(20_000)
})
