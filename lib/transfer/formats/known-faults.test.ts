import { describe, expect, test } from 'vitest'
import { drawn, readAll, readChat, readFixture } from '@/testing/worlds/exported-files'
import { zipOf } from '@/testing/worlds/zip-file'

type Chat = Awaited<ReturnType<typeof readChat>>
const partsOf = (chat: Chat, type: string) =>
  chat.messages.flatMap(({ parts }) => parts.filter((part) => part.type === type))
const endOf = (chat: Chat) =>
  chat.messages
    .find(({ id }) => id === chat.currentId)
    ?.parts.map((part) => ('text' in part ? part.text : ''))
    .join(' ')

describe('every file of a zip is accounted for', () => {
  const chats = {
    name: 'conversations-000.json',
    bytes: JSON.stringify([
      {
        title: 'One',
        mapping: { a: { id: 'a', message: { author: { role: 'user' }, content: { parts: ['hi'] } } } },
      },
    ]),
  }
  test.each<[string, { name: string; bytes: string }, string]>([
    [
      'cut off',
      { name: 'conversations-001.json', bytes: chats.bytes.slice(0, -20) },
      'conversations-001.json: conversations-001.json cannot be read. The file ends',
    ],
    [
      'broken',
      { name: 'b.json', bytes: '[{"title":,}]' },
      'b.json: b.json cannot be read. It is not valid JSON at line 1, column 11',
    ],
    [
      'of an unknown form',
      { name: 'other.json', bytes: '{"notes":["a"]}' },
      'all.zip: 1 file is not brought, because it holds no chats in a form that is known here: other.json.',
    ],
    ['empty', { name: 'empty.json', bytes: '' }, 'empty.json: empty.json is empty'],
    ['in UTF-16', { name: 'wide.json', bytes: '\xff\xfe[' }, 'wide.json: wide.json is'],
    [
      'a picture of no message',
      { name: 'pictures/cat.png', bytes: 'cat' },
      'all.zip: 1 file is not brought, because no message names it: pictures/cat.png.',
    ],
    [
      'another zip',
      { name: 'inner.zip', bytes: 'PK' },
      'all.zip: 1 file is not brought, because no message names it: inner.zip.',
    ],
    [
      'a page',
      { name: 'chat.html', bytes: '<html></html>' },
      'all.zip: 1 file is not brought, because no message names it: chat.html.',
    ],
  ])('%s', async (_, entry, words) => {
    const { chats: found, notes } = await readAll('all.zip', zipOf([chats, entry]))
    expect(found.map(({ title }) => title)).toEqual(['One'])
    expect(notes.map(({ chat, reason }) => `${chat}: ${reason}`)).toEqual([expect.stringContaining(words)])
  })

  test('names of many files are ten, and a number', async () => {
    const pictures = Array.from({ length: 25 }, (_, at) => ({ name: `p${at}.png`, bytes: 'x' }))
    const { notes } = await readAll('all.zip', zipOf([chats, ...pictures]))
    expect(notes[0]?.reason).toMatch(
      /^25 files are not brought, because no message names them: p0\.png, .* and 15 more\.$/,
    )
  })

  test('reading that goes on later tells the same files', async () => {
    const named = JSON.stringify([
      {
        title: 'Two',
        mapping: {
          a: {
            id: 'a',
            message: {
              author: { role: 'user' },
              content: {
                parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-A1' }],
              },
            },
          },
        },
      },
    ])
    const zip = zipOf([
      { name: 'a.json', bytes: named },
      { name: 'b.json', bytes: chats.bytes },
      { name: 'file-A1.png', bytes: 'x' },
      { name: 'file-B2.png', bytes: 'x' },
    ])
    const whole = await readAll('all.zip', zip)
    expect(whole.notes).toEqual([
      { chat: 'all.zip', reason: '1 file is not brought, because no message names it: file-B2.png.' },
    ])
    expect((await readAll('all.zip', zip, 1)).notes).toEqual(whole.notes)
  })
})

describe('what stands beside the list of chats is read, or told', () => {
  const chat = { id: 'c', folderId: 'f', messages: [{ role: 'user', content: 'hi' }] }
  test('folders are tags', async () => {
    for (const folders of [[{ id: 'f', name: 'Fun' }], { f: { name: 'Fun' } }]) {
      const { chats, notes } = await readAll('a.json', JSON.stringify({ history: [chat], folders }))
      expect([chats[0]?.tags, notes]).toEqual([['Fun'], []])
    }
  })
  test.each([
    ['before', { prompts: [{ content: 'Be a pirate.' }], chats: [chat] }],
    ['after', { chats: [chat], prompts: [{ content: 'Be a pirate.' }] }],
    ['deep', { about: { prompts: [{ content: 'Be a pirate.' }] }, conversations: [chat] }],
  ])('prompts %s it', async (_, value) => {
    const { chats, notes } = await readAll('a.json', JSON.stringify(value))
    expect(chats).toHaveLength(1)
    expect(notes.map(({ reason }) => reason)).toEqual([
      '1 text under “prompts.content” is not brought: this field is not known here.',
    ])
  })
})

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

describe('files of half-known form are read whole, or each loss is told', () => {
  test.each<[string, string[]]>([
    ['faults/13-gemini-cli.json', ['user: q', '  assistant: (s\n\na thought) r read_file!']],
    ['faults/14a-ollama-images.json', ['user: <image/png> what is it', '  assistant: (looking) a dot']],
    [
      'faults/14b-le-chat.json',
      [
        'user: [Picture photo.png: not in the export] hello',
        '  assistant: web_search! the answer in chunks <Doc>',
        '  assistant: second version',
      ],
    ],
    [
      'faults/14c-chatbot-ui-prompt-model.json',
      ['system: You are a pirate.', '  user: hello', '    assistant: hi'],
    ],
  ])('%s', async (name, lines) => {
    const { chat } = await readFixture(name)
    expect(drawn(chat)).toEqual(lines)
    expect(chat.problems.filter((problem) => problem.includes('not brought'))).toEqual([])
  })

  test('models and folders of Chatbot UI are kept', async () => {
    const { chat, notes } = await readFixture('faults/14c-chatbot-ui-prompt-model.json')
    expect([chat.messages.at(-1)?.model, chat.tags, notes]).toEqual(['model-c', ['Fun'], []])
  })

  test.each<[string, object, string]>([
    [
      'a canvas',
      { canvas: { body: 'a long text' } },
      '1 text under “canvas.body” is not brought: this field is not known here.',
    ],
    [
      'a draft',
      { drafts: ['words one', 'words two three'] },
      '1 text under “messages.drafts” is not brought: this field is not known here.',
    ],
    [
      'a transcript',
      { voice: [{ transcript: 'said' }, { transcript: 'aloud' }] },
      '2 texts under “voice.transcript” are not brought: this field is not known here.',
    ],
  ])('%s of a list', async (_, more, words) => {
    const chat = await readChat({ messages: [{ role: 'user', content: 'hi', ...more }] })
    expect(chat.problems).toEqual([words])
  })

  test('a chat of which little is understood is refused', async () => {
    const node = (id: string) => [
      id,
      { id, message: { author: { role: 'user' }, inside: { said: { words: `the words of ${id}` } } } },
    ]
    const mapping = Object.fromEntries(['a', 'b', 'c'].map(node))
    const { chats, problems } = await readAll('a.json', JSON.stringify([{ title: 'Odd', mapping }]))
    expect(chats).toEqual([])
    expect(problems).toEqual([
      {
        chat: 'Odd',
        reason:
          'The form of this chat is known in part only: of 3 messages 0 could be read. It is left out, so that nothing looks whole that is not.',
      },
    ])
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

describe('a file that is no valid JSON is told with the place', () => {
  test.each([
    [
      'a comma before an end',
      '{"conversationId":"f","messages":[{"messageId":"a","text":"q"},]}',
      'line 1, column 64',
    ],
    ['a quote that is missing', '[{"role":"user","content":"a}]', 'The file ends in the middle'],
    ['single quotes', "[{'role':'user'}]", 'line 1, column 3'],
    ['a comment', '[\n  {\n    // mine\n    "role": "user"\n  }\n]', 'line 3, column 5'],
  ])('%s', async (_, text, place) => {
    await expect(readAll('a.json', text)).rejects.toThrow(place)
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
