import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { openExport, UnreadableExportError } from '@/lib/transfer'
import { drawn, fixture, readAll, withFile } from '@/testing/worlds/exported-files'
import { zipOf } from '@/testing/worlds/zip-file'

const refusal = async (name: string, bytes: Buffer | string) => {
  const error = await readAll(name, bytes).then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(UnreadableExportError)
  return (error as Error).message
}

const messageOf = (words: string, parent: string | null = null) => ({
  ...{ id: words, parent, children: [] },
  message: { author: { role: 'user' }, content: { content_type: 'text', parts: [words] } },
})
const chatOf = (title: string, words = title) => ({
  title,
  conversation_id: title,
  mapping: { [words]: messageOf(words) },
})

describe('a file that is no export is refused in words', () => {
  test.each([
    ['conversations.json', '', 'conversations.json is empty. Download the export again.'],
    ['conversations.json', ' \n\t', 'conversations.json is empty. Download the export again.'],
    [
      'chat.html',
      '<!doctype html><script>var jsonData = []',
      'chat.html is the chat.html of the export, a page to read. Choose the conversations.json beside it, or the zip.',
    ],
    [
      'page.json',
      '<html></html>',
      'page.json is a page (HTML or XML). Choose the JSON file or the zip of the export.',
    ],
    [
      'chat.pdf',
      '%PDF-1.7',
      'chat.pdf is a PDF, which holds no branches. Choose the JSON file or the zip of the export.',
    ],
    [
      'notes.txt',
      'Hello',
      'notes.txt is not JSON. Choose the file that the other program exported: a .json or .jsonl file, or its zip.',
    ],
    [
      'other.json',
      '{"name":"a package","version":"1.0.0"}',
      'other.json holds no chats in a form that is known here. Exports of ChatGPT, Claude, Open WebUI, LibreChat, SillyTavern, llama.cpp, LangGraph and lists of messages can be imported.',
    ],
    [
      'numbers.json',
      '[1,2,3]',
      'numbers.json holds no chats in a form that is known here. Exports of ChatGPT, Claude, Open WebUI, LibreChat, SillyTavern, llama.cpp, LangGraph and lists of messages can be imported.',
    ],
  ])('%s: %j', async (name, bytes, words) => {
    expect(await refusal(name, bytes)).toBe(words)
  })

  test('UTF-16 and gzip are named', async () => {
    expect(await refusal('a.json', Buffer.from('\ufeff[]', 'utf16le'))).toContain('is saved as UTF-16')
    expect(await refusal('a.json.gz', Buffer.from([0x1f, 0x8b, 8, 0]))).toContain('is packed with gzip')
  })
})

describe('a zip', () => {
  const chats = { name: 'conversations.json', bytes: JSON.stringify([chatOf('One')]) }

  test('that is cut short, or broken in its directory, is refused', async () => {
    const zip = zipOf([chats])
    const words =
      'export.zip is a broken or incomplete zip. Download the export again; if that does not help, unpack it and choose its JSON files.'
    expect(await refusal('export.zip', zip.subarray(0, zip.length - 30))).toBe(words)
    expect(await refusal('export.zip', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100)]))).toBe(
      words,
    )
  })

  test.each([{ checksum: 1 }, { size: 5 }])(
    'that says %j of an entry, which is not so, is refused',
    async (claims) => {
      expect(await refusal('export.zip', zipOf([{ ...chats, claims }]))).toContain(
        'is a broken or incomplete zip',
      )
    },
  )

  test('with a password is refused', async () => {
    expect(await refusal('export.zip', zipOf([{ ...chats, claims: { encrypted: true } }]))).toBe(
      'export.zip is locked with a password. Unpack it and choose the file in it, or make a zip without a password.',
    )
  })

  test.each(['../../etc/passwd', '/etc/passwd', 'a/../../b.json', 'C:\\b.json'])(
    'that names %s is refused',
    async (name) => {
      expect(await refusal('export.zip', zipOf([chats, { name, bytes: '[]' }]))).toBe(
        'export.zip names a file outside of itself, as no export does. It is not read.',
      )
    },
  )

  test('that would unpack to a thousand times its size is refused before it is unpacked', async () => {
    const bomb = { name: 'bomb.json', bytes: Buffer.alloc(80 * 1024 * 1024, 0x20) }
    expect(await refusal('export.zip', zipOf([chats, bomb]))).toContain(
      'would unpack to far more than an export holds (bomb.json)',
    )
    const liar = { name: 'liar.json', bytes: '[]', claims: { size: 0xfffffffe } }
    expect(await refusal('export.zip', zipOf([chats, liar]))).toContain('would unpack to far more')
  })

  test('in a zip, and one without JSON, are named', async () => {
    expect(await refusal('all.zip', zipOf([{ name: 'export.zip', bytes: zipOf([chats]) }]))).toBe(
      'all.zip holds another zip (export.zip). Unpack it and choose that one.',
    )
    expect(await refusal('pictures.zip', zipOf([{ name: 'a.png', bytes: 'x' }]))).toBe(
      'pictures.zip holds no JSON file. Choose the zip that the other program exported.',
    )
    expect(await refusal('empty.zip', zipOf([]))).toContain('holds no JSON file')
  })

  test('of the large form is read', async () => {
    const { chats: found } = await readAll('export.zip', zipOf([chats], { zip64: true }))
    expect(found.map(({ title }) => title)).toEqual(['One'])
  })

  test('gives the bytes of its entries, and null for a name that it has not', async () => {
    await withFile(zipOf([chats, { name: 'a/note.txt', bytes: 'hello' }]), async (file) => {
      const opened = await openExport(file, { name: 'export.zip' })
      const stream = await opened.openFile('a/note.txt')
      expect(stream && (await text(stream))).toBe('hello')
      expect(await opened.openFile('../a/note.txt')).toBeNull()
      await opened.close()
    })
  })
})

describe('a chat that cannot be read is said, and the others are', () => {
  test('cut in the middle, or before the end of the list', async () => {
    const whole = JSON.stringify([chatOf('One'), chatOf('Two')])
    const cut = await readAll('conversations.json', whole.slice(0, -20))
    expect(cut.chats.map(({ title }) => title)).toEqual(['One'])
    expect(cut.problems).toEqual([
      {
        chat: 'Two',
        reason:
          'The file ends in the middle of this chat, as an incomplete download does. Download the export again; what stands before is read.',
      },
    ])
    const open = await readAll('conversations.json', whole.slice(0, -1))
    expect([open.chats.length, open.problems.length]).toEqual([2, 1])
  })

  test('broken in itself', async () => {
    const text = `[${JSON.stringify(chatOf('One'))},{"title":"Broken","mapping":{nothing}},"words",${JSON.stringify(chatOf('Two'))}]`
    const { chats, problems } = await readAll('conversations.json', text)
    expect(chats.map(({ title }) => title)).toEqual(['One', 'Two'])
    expect(problems).toEqual([
      { chat: 'Broken', reason: 'The entry is not valid JSON. It is left out.' },
      {
        chat: 'Chat 3 of conversations.json',
        reason: 'The entry is no chat: it has no messages in a form that is known here. It is left out.',
      },
    ])
  })

  test('nested ten thousand levels deep', async () => {
    const deep = `{"title":"Deep","mapping":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`
    const { chats, problems } = await readAll(
      'conversations.json',
      `[${JSON.stringify(chatOf('One'))},${deep}]`,
    )
    expect(chats).toHaveLength(1)
    expect(problems).toEqual([
      { chat: 'Deep', reason: 'The chat is nested deeper than 5,000 levels. It is left out.' },
    ])
    expect(await refusal('deep.json', `${'['.repeat(10_000)}${']'.repeat(10_000)}`)).toContain(
      'is nested deeper than 5,000 levels',
    )
  })

  test('longer than a chat may be', async () => {
    const [one, two] = [chatOf('One'), chatOf('Two')].map((chat) => JSON.stringify(chat))
    const long = Buffer.concat([
      Buffer.from(`[${one},{"title":"Long","mapping":{"a":"`),
      Buffer.alloc(33 * 1024 * 1024, 'x'),
      Buffer.from(`"}},${two}]`),
    ])
    const { chats, problems } = await readAll('conversations.json', long)
    expect(chats.map(({ title }) => title)).toEqual(['One', 'Two'])
    expect(problems).toEqual([{ chat: 'Long', reason: 'The chat is longer than 32 MB. It is left out.' }])
  })

  test('longer than a chat may be, as a list of messages', async () => {
    const message = Buffer.concat([
      Buffer.from('{"role":"user","content":"'),
      Buffer.alloc(11 * 1024 * 1024, 'x'),
      Buffer.from('"}\n'),
    ])
    const { chats, problems } = await readAll('list.jsonl', Buffer.concat([message, message, message]))
    expect(chats).toEqual([])
    expect(problems).toEqual([
      { chat: 'list.jsonl', reason: 'The chat is longer than 32 MB. It is left out.' },
    ])
  })
})

test('of more messages than a chat may have', async () => {
  const [one, two] = [chatOf('One'), chatOf('Two')].map((chat) => JSON.stringify(chat))
  const nodes = Array.from(
    { length: 50_001 },
    (_, n) =>
      `"${n}":{"id":"${n}","message":{"author":{"role":"user"},"content":{"parts":["${n}"]}},"parent":null}`,
  )
  const many = `{"title":"Many","mapping":{${nodes.join()}}}`
  const { chats, problems } = await readAll('conversations.json', `[${one},${many},${two}]`)
  expect(chats.map(({ title }) => title)).toEqual(['One', 'Two'])
  expect(problems).toEqual([
    { chat: 'Many', reason: 'The chat has more than 50,000 messages. It is left out.' },
  ])

  const lines = Array.from({ length: 50_001 }, () => '{"role":"user","content":"a"}').join('\n')
  const listed = await readAll('list.jsonl', lines)
  expect(listed.problems).toEqual([
    { chat: 'list.jsonl', reason: 'The chat has more than 50,000 messages. It is left out.' },
  ])
})

test('of more objects and lists than a chat has: a million of them take far more memory than bytes', async () => {
  const one = JSON.stringify(chatOf('One'))
  const hollow = `{"title":"Hollow","mapping":{"a":[${'[],'.repeat(600_000)}0]}}`
  const { chats, problems } = await readAll('conversations.json', `[${one},${hollow}]`)
  expect(chats.map(({ title }) => title)).toEqual(['One'])
  expect(problems).toEqual([
    { chat: 'Hollow', reason: expect.stringContaining('more than 500,000 lists and objects') },
  ])
})

test.each([
  ['conversations.json', (bytes: Buffer) => bytes],
  ['export.zip', (bytes: Buffer) => zipOf([{ name: 'conversations.json', bytes, isStored: true }])],
])('a file whose only chat is too long, or cut off, is refused for that reason: %s', async (name, packed) => {
  const long = Buffer.concat([
    Buffer.from('[{"title":"Long","mapping":{"a":"'),
    Buffer.alloc(33 * 1024 * 1024, 'x'),
    Buffer.from('"}}]'),
  ])
  expect(await refusal(name, packed(long))).toBe(
    'conversations.json cannot be read. The chat is longer than 32 MB. It is left out.',
  )
  const cut = Buffer.from(JSON.stringify([chatOf('One')]).slice(0, -20))
  expect(await refusal(name, packed(cut))).toContain('The file ends in the middle of this chat')
})

test('bytes that are no UTF-8, NUL and halves of characters are replaced, and said', async () => {
  const json = JSON.stringify([
    chatOf('One', 'a\u0000b'),
    chatOf('Two', 'c\ud800d'),
    chatOf('Three', 'e~f'),
    chatOf('Four', 'ok \\u0000 😀'),
  ])
  const bytes = Buffer.from(json)
  bytes[bytes.indexOf('e~f', bytes.indexOf('"parts":["e~f')) + 1] = 0xff
  const { chats } = await readAll('conversations.json', bytes)
  expect(chats.map(({ messages }) => messages[0]?.parts)).toEqual(
    ['a\ufffdb', 'c\ufffdd', 'e\ufffdf', 'ok \\u0000 😀'].map((words) => [{ type: 'text', text: words }]),
  )
  expect(chats.map(({ problems }) => problems.length)).toEqual([1, 1, 1, 0])
})

test('a byte order mark is passed over', async () => {
  const { chats } = await readAll('conversations.json', `\ufeff${JSON.stringify([chatOf('One')])}`)
  expect(chats).toHaveLength(1)
})

test.each(['{"conversations":', '{"version":4,"about":{"chats":[1]},"chats":'])(
  'chats in an object are found: %s',
  async (before) => {
    const { chats, problems } = await readAll(
      'all.json',
      `${before} [${JSON.stringify(chatOf('One'))}, ${JSON.stringify(chatOf('Two'))}], "more": 1}`,
    )
    expect(problems).toEqual([])
    expect(chats.map(({ title }) => title)).toEqual(['One', 'Two'])
  },
)

test('input of a tool that is nested too deeply to store is kept as JSON', async () => {
  const deep = JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`) as unknown
  const messages = [
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'dig', input: deep }] },
  ]
  const { chats } = await readAll('chat.json', JSON.stringify({ messages }))
  expect(chats[0]?.messages[1]?.parts[0]).toMatchObject({
    ...{ state: 'output-error', errorText: 'The export holds no answer of this tool.' },
    input: JSON.stringify(deep),
  })
})

test('reading goes on after any place, over the files of a zip too', async () => {
  const zip = zipOf([
    { name: 'conversations-1.json', bytes: JSON.stringify([chatOf('0'), { title: 'broken' }, chatOf('2')]) },
    { name: 'conversations-2.json', bytes: JSON.stringify([chatOf('3')]) },
    { name: 'list.json', bytes: fixture('ai-sdk.json') },
    { name: 'tavern/sillytavern-branch.jsonl', bytes: fixture('sillytavern-branch.jsonl') },
    { name: 'tavern/sillytavern.jsonl', bytes: fixture('sillytavern.jsonl') },
  ])
  const { items } = await readAll('export.zip', zip)
  expect(items.map(({ place }) => place)).toEqual([0, 1, 2, 3, 4, 5])
  for (const from of items.map(({ place }) => place)) {
    expect((await readAll('export.zip', zip, from)).items).toEqual(items.slice(from))
  }
  expect((await readAll('export.zip', zip, 6)).items).toEqual([])
})

test('reading stops when it is told to', async () => {
  await withFile(JSON.stringify([chatOf('One'), chatOf('Two')]), async (file) => {
    const stop = new AbortController()
    const { items, close } = await openExport(file, { name: 'a.json', signal: stop.signal })
    const reader = items()[Symbol.asyncIterator]()
    await reader.next()
    stop.abort()
    await expect(reader.next()).rejects.toThrow(/abort/i)
    await close()
  })
})

test('a file that a message names is the one with its id, wherever it lies', async () => {
  const { chats } = await readAll('chats.json', fixture('librechat-recursive.json'))
  expect(chats[0] && drawn(chats[0])[0]).toBe('user: Activate it')
})

describe('values nested as deeply as is read are kept, wherever they stand', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  const deep = nested(4950)
  const deepList = `${'['.repeat(4950)}1${']'.repeat(4950)}`

  test.each([
    [
      'chatgpt part',
      `[{"title":"t","mapping":{"a":{"message":{"author":{"role":"user"},"content":{"content_type":"text","parts":[${deep}]}}}}}]`,
    ],
    [
      'chatgpt content',
      `[{"title":"t","mapping":{"a":{"message":{"author":{"role":"user"},"content":{"content_type":"odd","x":${deep}}}}}}]`,
    ],
    ['messages content', `{"messages":[{"role":"user","content":${deep}}]}`],
    ['messages content list', `[{"role":"user","content":${deepList}}]`],
    ['messages parts', `[{"role":"user","parts":[{"type":"odd","x":${deepList}}]}]`],
    [
      'tool result',
      `[{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":${deepList}}]}]`,
    ],
    [
      'tool call',
      `[{"role":"assistant","content":[{"type":"tool_use","id":"x","name":"n","input":${deep}}]}]`,
    ],
    [
      'tool value nested',
      `[{"role":"tool","content":${`{"type":"json","value":`.repeat(4950)}1${'}'.repeat(4950)}}]`,
    ],
    [
      'langgraph',
      `[{"values":{"messages":[{"type":"human","content":${deep}},${deep}]},"checkpoint":{"thread_id":"x"}}]`,
    ],
    [
      'claude',
      `[{"uuid":"x","chat_messages":[{"uuid":"m","sender":"human","content":[{"type":"text","text":${deep}},{"type":"odd","x":${deep}}],"files":[${deep}]}]}]`,
    ],
    [
      'webui',
      `[{"chat":{"history":{"messages":{"a":{"role":"user","content":${deep},"output":[{"type":"function_call","arguments":${deep}}],"files":[${deep}]}}}}}]`,
    ],
    [
      'sillytavern',
      `{"user_name":"x","character_name":"y"}\n{"mes":"x","is_user":true,"extra":${deep},"swipes":[${deep}]}`,
    ],
    [
      'llama',
      `[{"conv":{"id":"x"},"messages":[{"id":"a","role":"user","content":${deep},"toolCalls":${deep},"extra":[${deep}]}]}]`,
    ],
    [
      'string json',
      `[{"role":"assistant","content":[{"type":"tool_use","id":"x","name":"n","input":${JSON.stringify(nested(200_000))}}]}]`,
    ],
  ])('%s', async (_where, text) => {
    const { chats, problems } = await readAll('deep.json', text)
    expect([chats.length, problems.length]).toEqual([1, 0])
    expect(JSON.stringify(chats[0]?.messages).length).toBeGreaterThan(2)
  })

  test('messages in each other', async () => {
    let message = '{"messageId":"z","isCreatedByUser":true,"text":"x"}'
    for (let at = 0; at < 2400; at += 1)
      message = `{"messageId":"m${at}","isCreatedByUser":true,"text":"x","children":[${message}]}`
    const { chats } = await readAll('deep.json', `{"conversationId":"x","messages":[${message}]}`)
    expect(chats[0]?.messages).toHaveLength(2401)
  })
})
