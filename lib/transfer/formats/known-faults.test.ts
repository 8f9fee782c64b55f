import { describe, expect, test } from 'vitest'
import { drawn, readAll, readChat, readFixture } from '@/testing/worlds/exported-files'

type Chat = Awaited<ReturnType<typeof readChat>>
const partsOf = (chat: Chat, type: string) =>
  chat.messages.flatMap(({ parts }) => parts.filter((part) => part.type === type))
const endOf = (chat: Chat) =>
  chat.messages
    .find(({ id }) => id === chat.currentId)
    ?.parts.map((part) => ('text' in part ? part.text : ''))
    .join(' ')

describe('a list is the tree that its messages say', () => {
  const forked = ['user: question', '  assistant: answer one', '  assistant: answer two']
  test.each([
    [
      'faults/02-list-with-children.json',
      ['user: question', '  assistant: answer one', '    user: more', '  assistant: answer two'],
    ],
    ['faults/03a-list-message_id-parent_message_id.json', forked],
    [
      'faults/03b-hf-chat-ui-ancestors.json',
      [
        'system: Be brief.',
        '  user: question',
        '    assistant: (let me think) first answer',
        '    assistant: second answer',
        '      user: <dot.png> follow-up to the second',
      ],
    ],
  ])('%s', async (name, lines) => {
    const { chat } = await readFixture(name)
    expect(drawn(chat)).toEqual(lines)
    expect(chat.problems).toEqual([])
  })

  const message = (id: string, role: string, content: string, more: object) => ({
    id,
    role,
    content,
    ...more,
  })
  test.each<[string, unknown]>([
    [
      'replies in each other',
      [
        {
          role: 'user',
          content: 'question',
          replies: [
            { role: 'assistant', content: 'answer one' },
            { role: 'assistant', content: 'answer two' },
          ],
        },
      ],
    ],
    [
      'uuid and parentUuid',
      [
        { uuid: 'a', role: 'user', content: 'question' },
        { uuid: 'b', parentUuid: 'a', role: 'assistant', content: 'answer one' },
        { uuid: 'c', parentUuid: 'a', role: 'assistant', content: 'answer two' },
      ],
    ],
    [
      'children by id',
      [
        message('a', 'user', 'question', { children: ['b', 'c'] }),
        message('b', 'assistant', 'answer one', {}),
        message('c', 'assistant', 'answer two', {}),
      ],
    ],
    [
      'parents in a list',
      {
        messages: [
          message('a', 'user', 'question', {}),
          message('b', 'assistant', 'answer one', { parents: ['a'] }),
          message('c', 'assistant', 'answer two', { parents: ['a'] }),
        ],
      },
    ],
  ])('%s', async (_, value) => {
    expect(drawn(await readChat(value))).toEqual(forked)
  })
})

describe('pages that a reply is based on are sources', () => {
  test('of a search of Claude, with the title of the result', async () => {
    const { chat } = await readFixture('faults/09-claude-search-sources.json')
    expect(partsOf(chat, 'source-url')).toEqual([
      expect.objectContaining({ url: 'https://example.org/p', title: 'Page' }),
    ])
    expect(partsOf(chat, 'dynamic-tool')[0]).toMatchObject({
      output: [expect.objectContaining({ text: 'page text', title: 'Page' })],
    })
    expect(chat.problems).toEqual([])
  })

  test('of ChatGPT, whose marks go', async () => {
    const { chat } = await readFixture('faults/15-chatgpt-citation-marks.json')
    expect(endOf(chat)).toMatch(/^Old\. New \(\[site\]\(https:\/\/example\.org\/a\)\), Some One\./)
    expect(partsOf(chat, 'source-url').map((part) => ('title' in part ? part.title : ''))).toEqual([
      'A',
      'B',
      'C',
      'T',
    ])
    expect(chat.problems).toEqual([])
  })

  const cite = (mark: string) => `\ue200cite\ue202${mark}\ue201`
  test.each([
    ['a mark that nothing explains', `Words ${cite('turn0search9')}.`, {}, 'Words.'],
    ['a mark of a file', 'Words 【4:2†notes.txt】 go on', {}, 'Words go on'],
    [
      'an entity without a reference',
      'By \ue200entity\ue202["person","Ada Lovelace",1]\ue201!',
      {},
      'By Ada Lovelace!',
    ],
    ['brackets of a person', 'A 【note】 of mine', {}, 'A 【note】 of mine'],
    [
      'a mark with a link',
      `See ${cite('a')}`,
      { content_references: [{ matched_text: cite('a'), alt: '([x](https://x.org))' }] },
      'See ([x](https://x.org))',
    ],
  ])('%s', async (_, words, metadata, shown) => {
    const mapping = {
      a: {
        id: 'a',
        message: {
          author: { role: 'assistant' },
          content: { content_type: 'text', parts: [words] },
          metadata,
        },
      },
    }
    const chat = await readChat([{ title: 't', mapping }])
    expect(endOf(chat)).toBe(shown)
  })

  test.each<[string, object]>([
    [
      'annotations of OpenAI',
      {
        content: [
          {
            type: 'output_text',
            text: 'Said',
            annotations: [{ type: 'url_citation', url: 'https://a.org', title: 'A' }],
          },
        ],
      },
    ],
    [
      'annotations beside the words',
      {
        content: 'Said',
        annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.org', title: 'A' } }],
      },
    ],
    [
      'citations of Anthropic',
      {
        content: [
          {
            type: 'text',
            text: 'Said',
            citations: [{ type: 'web_search_result_location', url: 'https://a.org', title: 'A' }],
          },
        ],
      },
    ],
    ['a list of addresses', { content: 'Said', citations: ['https://a.org'] }],
    ['results of a search', { content: 'Said', search_results: [{ url: 'https://a.org', title: 'A' }] }],
  ])('%s', async (_, reply) => {
    const chat = await readChat([
      { role: 'user', content: 'q' },
      { role: 'assistant', ...reply },
    ])
    expect(partsOf(chat, 'source-url')).toEqual([expect.objectContaining({ url: 'https://a.org' })])
    expect(chat.problems).toEqual([])
  })
})

describe('a chat opens where the person was, or at its newest words', () => {
  test.each([
    ['faults/10-claude-newest-branch.json', 'newest words'],
    ['faults/11-librechat-undated-tail.json', 'amused'],
  ])('%s', async (name, words) => {
    expect(endOf((await readFixture(name)).chat)).toBe(words)
  })

  const list = (...messages: [id: string, parentId: string | null, time: number | null][]) =>
    messages.map(([id, parentId, time]) => ({ id, parentId, role: 'user', content: id, createdAt: time }))
  const day = 86_400_000
  const begun = 1_700_000_000_000
  test.each<[string, ReturnType<typeof list>, string]>([
    [
      'the newest of two branches',
      list(['a', null, begun], ['b', 'a', begun + 2 * day], ['c', 'a', begun + day]),
      'b',
    ],
    [
      'a newest message in the middle is followed to its end',
      list(
        ['a', null, begun],
        ['b', 'a', begun + 9 * day],
        ['c', 'b', begun + day],
        ['d', 'a', begun + 2 * day],
      ),
      'c',
    ],
    [
      'no dates at all: the last of the file',
      list(['a', null, null], ['b', 'a', null], ['c', 'a', null]),
      'c',
    ],
    [
      'an undated tail on the newer branch',
      list(['a', null, begun], ['b', 'a', begun + day], ['c', 'b', null], ['d', 'a', begun]),
      'c',
    ],
  ])('%s', async (_, messages, id) => {
    expect((await readChat(messages)).currentId).toBe(id)
  })
})

describe('speakers of a group keep their names', () => {
  test('of SillyTavern', async () => {
    const { chat } = await readFixture('faults/12-sillytavern-group.jsonl')
    expect(chat.messages.map(({ speaker, role }) => `${speaker} ${role}`)).toEqual([
      'Alice assistant',
      'Bob assistant',
      'User user',
      'Alice assistant',
      'Bob assistant',
    ])
  })
  const line = (name: string, mes: string, more = {}) =>
    JSON.stringify({ name, mes, is_user: name === 'You', ...more })
  const header = '{"user_name":"You","character_name":"Ann","chat_metadata":{}}'
  test.each<[string, string[], (string | null)[]]>([
    ['one character has no name beside the model', [line('Ann', 'hi'), line('You', 'yes')], [null, null]],
    [
      'two persons',
      [
        line('You', 'hi'),
        JSON.stringify({ name: 'Eve', is_user: true, mes: 'me too' }),
        line('Ann', 'hello'),
      ],
      ['You', 'Eve', 'Ann'],
    ],
    [
      'a note of the system is no speaker',
      [line('Ann', 'hi'), line('Note', 'hidden', { is_system: true })],
      [null, null],
    ],
  ])('%s', async (_, lines, speakers) => {
    const { chats } = await readAll('g.jsonl', [header, ...lines].join('\n'))
    expect(chats[0]?.messages.map(({ speaker }) => speaker)).toEqual(speakers)
  })
  test('of lists in which messages have names', async () => {
    const chat = await readChat([
      { role: 'user', name: 'Ada', content: 'hi' },
      { role: 'assistant', name: 'planner', content: 'a' },
    ])
    expect(chat.messages.map(({ speaker }) => speaker)).toEqual(['Ada', 'planner'])
  })
})

describe('code that was run, and what the page said it did, are parts', () => {
  test('of Open WebUI', async () => {
    const { chat } = await readFixture('faults/16-open-webui-code-status.json')
    expect(drawn(chat).join().replaceAll('\n', ' ').replace(/ +/g, ' ')).toBe(
      'user: q, assistant: web_search! r code_interpreter! after code_interpreter!',
    )
    expect(partsOf(chat, 'dynamic-tool')).toMatchObject([
      { input: { description: 'Searched' }, output: ['https://example.org/s'] },
      { input: { language: 'python', code: 'print(2)' } },
      { input: { language: 'python', code: 'print(1)' }, output: '1' },
    ])
    expect(chat.problems).toEqual([])
  })
  const reply = (more: object) => ({
    chat: { history: { messages: { a: { role: 'assistant', content: 'r', ...more } } } },
  })
  test.each<[string, object, object]>([
    [
      'code that failed',
      { code_executions: [{ code: 'x', language: 'js', result: { error: 'no x' } }] },
      { state: 'output-error', errorText: 'no x' },
    ],
    [
      'code that made files',
      { code_executions: [{ code: 'x', result: { output: '', files: [{ name: 'a.png' }] } }] },
      { output: { output: '', files: [{ name: 'a.png' }] } },
    ],
    [
      'a line of status without an action',
      { statusHistory: [{ description: 'Thinking hard about it', done: true }] },
      { toolName: 'status', input: { description: 'Thinking hard about it' } },
    ],
    [
      'a status with queries',
      { statusHistory: [{ action: 'web_search_queries_generated', queries: ['one', 'two'] }] },
      { toolName: 'web_search_queries_generated', input: { queries: ['one', 'two'] } },
    ],
  ])('%s', async (_, more, part) => {
    const chat = await readChat(reply(more))
    expect(partsOf(chat, 'dynamic-tool')).toMatchObject([part])
    expect(chat.problems).toEqual([])
  })
})

describe('custom instructions are in the context', () => {
  test('of an export of 2023', async () => {
    const { chat } = await readFixture('faults/19-chatgpt-2023-custom-instructions.json')
    expect(drawn(chat)).toEqual([
      'system: I am a cook.\n\nAnswer in one line.',
      '  user: q',
      '    assistant: r',
    ])
    expect(chat.problems).toEqual([])
  })
  const spoken = [
    { role: 'user', content: 'q' },
    { role: 'assistant', content: 'r' },
  ]
  const forked = [
    { id: 'a', role: 'user', content: 'q' },
    { id: 'b', parentId: 'a', role: 'assistant', content: 'r' },
  ]
  test.each<[string, object]>([
    ['a prompt of the chat', { prompt: 'Be brief.', messages: spoken }],
    ['a preprompt', { preprompt: 'Be brief.', messages: spoken }],
    ['instructions of a tree', { instructions: 'Be brief.', messages: forked }],
    [
      'a system prompt of a tree in blocks',
      { system: [{ type: 'text', text: 'Be brief.' }], messages: forked },
    ],
  ])('%s', async (_, value) => {
    const chat = await readChat(value)
    expect(chat.instructions ?? drawn(chat)[0]?.replace('system: ', '')).toBe('Be brief.')
    expect(chat.problems).toEqual([])
  })
})
