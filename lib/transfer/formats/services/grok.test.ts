import { expect, test } from 'vitest'
import { drawn, readChat, readFixture } from '@/testing/worlds/exported-files'

const file = (...responses: object[]) => ({
  conversations: [
    {
      conversation: { id: 'g', title: 'Grok', create_time: '2025-06-21T19:28:21Z', leaf_response_id: 'r3' },
      responses: responses.map((response) => ({ response })),
    },
  ],
})
const question = { _id: 'r1', sender: 'human', message: 'question', model: 'grok-4' }

test('given its own export, then a conversation is a chain with dates and the model of the reply', async () => {
  const { source, chat } = await readFixture('formats/grok.json')
  expect(source).toBe('grok')
  expect(drawn(chat)).toEqual(['user: hello', '  assistant: hi'])
  expect(chat).toMatchObject({ id: 'g', title: 'Grok', problems: [] })
  expect(chat.messages.map(({ model }) => model)).toEqual([null, 'grok-3'])
})

test('given two replies to a question, then they are branches, and the leaf is where it was read last', async () => {
  const chat = await readChat(
    file(
      question,
      { _id: 'r2', sender: 'assistant', message: 'one', parent_response_id: 'r1' },
      { _id: 'r3', sender: 'ASSISTANT', message: 'two', parent_response_id: 'r1' },
      { _id: 'r4', sender: 'human', message: 'more', parent_response_id: 'r2' },
    ),
  )
  expect(drawn(chat)).toEqual(['user: question', '  assistant: one', '    user: more', '  assistant: two'])
  expect(chat).toMatchObject({ currentId: 'r3', problems: [] })
})

test('given dates as MongoDB writes them and no ids, then messages follow each other with their dates', async () => {
  const create_time = { $date: { $numberLong: '1771000000000' } }
  const chat = await readChat(
    file({ sender: 'human', message: 'question', create_time }, { sender: 'assistant', message: 'reply' }),
  )
  expect(drawn(chat)).toEqual(['user: question', '  assistant: reply'])
  expect(chat.messages[0]?.createdAt).toEqual(new Date(1_771_000_000_000))
  expect(chat.problems).toEqual([])
})

test('given thoughts, tools, searches and pictures, then each is a part', async () => {
  const card =
    '<xai:tool_usage_card><xai:tool_usage_card_id>c1</xai:tool_usage_card_id><xai:tool_name>web_search</xai:tool_name><xai:tool_args><![CDATA[{"query":"boats"}]]></xai:tool_args></xai:tool_usage_card>'
  const chat = await readChat(
    file(question, {
      _id: 'r3',
      sender: 'assistant',
      parent_response_id: 'r1',
      message:
        'Boats float.<grok:render card_id="k1" card_type="citation_card" type="render_inline_citation"><argument name="citation_id">0</argument></grok:render>',
      thinking_trace: 'Let me think of boats',
      steps: [
        {
          tagged_text: { header: 'Looking at boats', tool_usage_card: card },
          tool_usage_results: [{ tool_usage_card_id: 'c1', text: 'Ten pages on boats' }],
          web_search_results: [{ url: 'https://example.org/b', title: 'B' }],
        },
      ],
      card_attachments_json: [
        JSON.stringify({ id: 'k1', cardType: 'citation_card', url: 'https://example.org/c' }),
      ],
      generated_image_urls: ['https://example.org/boat.png'],
    }),
  )
  expect(drawn(chat)[1]).toBe(
    '  assistant: (Let me think of boats) (Looking at boats) web_search! Boats float. ![Picture](https://example.org/boat.png)',
  )
  const parts = chat.messages[1]?.parts ?? []
  expect(parts.find(({ type }) => type === 'dynamic-tool')).toMatchObject({
    state: 'output-available',
    input: { query: 'boats' },
    output: { text: 'Ten pages on boats' },
  })
  expect(parts.flatMap((part) => (part.type === 'source-url' ? [part.url] : []))).toEqual([
    'https://example.org/b',
    'https://example.org/c',
  ])
  expect(chat.problems).toEqual([])
})

test('given a file that the export names by an id, then the report says that it is missing', async () => {
  const chat = await readChat(file({ ...question, file_attachments: ['asset-123456'] }))
  expect(drawn(chat)).toEqual(['user: [File: not in the export] question'])
  expect(chat.problems).toEqual([
    '1 file is named but is not part of the export. The text says where it was.',
  ])
})
