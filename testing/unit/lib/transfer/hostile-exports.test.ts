import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { openExport, UnreadableExportError } from '@/lib/transfer'
import { programs } from '@/lib/transfer/formats'
import { fixture, readAll, withFile } from '@/testing/worlds/exported-files'
import { fileForms } from '@/testing/worlds/hostile-files'
import { type ZipEntry, zipOf } from '@/testing/worlds/zip-file'

const refusal = async (name: string, bytes: Buffer | string) => {
  const error = await readAll(name, bytes).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(UnreadableExportError)
  return (error as Error).message
}

const messageOf = (words: string, parent: string | null = null) => ({
  id: words,
  parent,
  children: [],
  message: { author: { role: 'user' }, content: { content_type: 'text', parts: [words] } },
})
const chatOf = (title: string, words = title) => ({
  title,
  conversation_id: title,
  mapping: { [words]: messageOf(words) },
})
/** The list of chats that a file holds: titles of whole ones, and JSON of others. */
const listOf = (...chats: string[]) =>
  `[${chats.map((chat) => (/^[A-Z]\w+$/.test(chat) ? JSON.stringify(chatOf(chat)) : chat))}]`

/** What a file of chats gives: the titles of those that are read, and what is said of the others. */
const readList = async (bytes: Buffer | string, name = 'conversations.json') => {
  const { chats, problems } = await readAll(name, bytes)
  return { titles: chats.map(({ title }) => title), problems }
}
const leftOut = (chat: string, reason: string) => ({ chat, reason: `${reason} It is left out.` })

const unpack = 'Choose the JSON file or the zip of the export.'
const unknown = `holds no chats in a form that is known here. Exports of ${programs} can be imported.`

const page =
  'is the chat.html of the export, a page to read. Choose the conversations.json beside it, or the zip.'
const noJson =
  'is not JSON. Choose the file that the other program exported: a .json or .jsonl file, or its zip.'

describe('a file that is no export is refused in words', () => {
  test.each([
    ['conversations.json', '', 'is empty. Download the export again.'],
    ['conversations.json', ' \n\t', 'is empty. Download the export again.'],
    ['chat.html', '<!doctype html><script>var jsonData = []', page],
    ['page.json', '<html></html>', `is a page (HTML or XML). ${unpack}`],
    ['chat.pdf', '%PDF-1.7', `is a PDF, which holds no branches. ${unpack}`],
    ['notes.txt', 'Hello', noJson],
    ['other.json', '{"name":"a package","version":"1.0.0"}', unknown],
    ['numbers.json', '[1,2,3]', unknown],
  ])('%s: %j', async (name, bytes, words) => {
    expect(await refusal(name, bytes)).toBe(`${name} ${words}`)
  })

  test('UTF-16 and gzip are named', async () => {
    expect(await refusal('a.json', Buffer.from('\ufeff[]', 'utf16le'))).toContain('is saved as UTF-16')
    expect(await refusal('a.json.gz', Buffer.from([0x1f, 0x8b, 8, 0]))).toContain('is packed with gzip')
  })
})

describe('a zip', () => {
  const chats = { name: 'conversations.json', bytes: listOf('One') }

  const broken =
    'is a broken or incomplete zip. Download the export again; if that does not help, unpack it and choose its JSON files.'
  const locked = 'Unpack it and choose the file in it, or make a zip without a password.'
  const paths = ['../../etc/passwd', '/etc/passwd', 'a/../../b.json', 'C:\\b.json']
  const claiming = (claims: ZipEntry['claims']) => zipOf([{ ...chats, claims }])
  test.each<[string, Buffer, string]>([
    ['is cut short', zipOf([chats]).subarray(0, -30), broken],
    ['is broken in its directory', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100)]), broken],
    ['has another checksum than it says', claiming({ checksum: 1 }), broken],
    ['has another size than it says', claiming({ size: 5 }), broken],
    ['has a password', claiming({ encrypted: true }), `is locked with a password. ${locked}`],
    ...paths.map((name): [string, Buffer, string] => [
      ...([`names ${name}`, zipOf([chats, { name, bytes: '[]' }])] as const),
      'names a file outside of itself, as no export does. It is not read.',
    ]),
    [
      'holds a zip',
      zipOf([{ name: 'inner.zip', bytes: zipOf([chats]) }]),
      'holds another zip (inner.zip). Unpack it and choose that one.',
    ],
    ...[zipOf([{ name: 'a.png', bytes: 'x' }]), zipOf([])].map((zip): [string, Buffer, string] => [
      ...(['holds no JSON', zip] as const),
      'holds no JSON file. Choose the zip that the other program exported.',
    ]),
  ])('that %s is refused', async (_, zip, words) => {
    expect(await refusal('export.zip', zip)).toBe(`export.zip ${words}`)
  })

  test('that would unpack to a thousand times its size is refused before it is unpacked', async () => {
    const bomb = { name: 'bomb.json', bytes: Buffer.alloc(80 * 1024 * 1024, 0x20) }
    expect(await refusal('export.zip', zipOf([chats, bomb]))).toContain(
      'would unpack to far more than an export holds (bomb.json)',
    )
    const liar = { name: 'liar.json', bytes: '[]', claims: { size: 0xfffffffe } }
    expect(await refusal('export.zip', zipOf([chats, liar]))).toContain('would unpack to far more')
  })

  test('whose names alone are longer than those of any export is refused', async () => {
    const entries = Array.from({ length: 600 }, (_, n) => ({
      name: `${n}${'n'.repeat(60_000)}.json`,
      bytes: '[]',
    }))
    expect(await refusal('export.zip', zipOf(entries))).toContain('has names of more than 32 MB in all')
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
    const whole = listOf('One', 'Two')
    const reason =
      'The file ends in the middle of this chat, as an incomplete download does. Download the export again; what stands before is read.'
    expect(await readList(whole.slice(0, -20))).toEqual({
      titles: ['One'],
      problems: [{ chat: 'Two', reason }],
    })
    const open = await readList(whole.slice(0, -1))
    expect([open.titles.length, open.problems.length]).toEqual([2, 1])
  })

  test('broken in itself', async () => {
    const broken = '{"title":"Broken","mapping":{nothing}}'
    expect(await readList(listOf('One', broken, '"words"', 'Two'))).toEqual({
      titles: ['One', 'Two'],
      problems: [
        leftOut('Broken', 'The entry is not valid JSON: it is broken at line 1, column 30.'),
        leftOut(
          'Chat 3 of conversations.json',
          'The entry is no chat: it has no messages in a form that is known here.',
        ),
      ],
    })
  })

  const manyNodes = Array.from(
    { length: 50_001 },
    (_, n) =>
      `"${n}":{"id":"${n}","message":{"author":{"role":"user"},"content":{"parts":["${n}"]}},"parent":null}`,
  )
  const hollow = 'is made of more than 1,000,000 values, more than a conversation is.'
  test.each([
    ['Deep', 'is nested deeper than 5,000 levels.', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['Long', 'is longer than 32 MB.', `{"a":"${'x'.repeat(33 * 1024 * 1024)}"}`],
    ['Many', 'has more than 50,000 messages.', `{${manyNodes.join()}}`],
    // a million of them take far more memory than bytes
    ['Hollow', hollow, `{"a":[${'[],'.repeat(600_000)}0]}`],
    ['Flat', hollow, `{"a":[${'1,'.repeat(1_100_000)}0]}`],
    ['Keyed', hollow, `{${'"a":1,'.repeat(1_100_000)}"a":1}`],
  ])('%s: it %s', async (chat, reason, mapping) => {
    const given = listOf('One', `{"title":"${chat}","mapping":${mapping}}`, 'Two')
    expect(await readList(given)).toEqual({
      titles: ['One', 'Two'],
      problems: [leftOut(chat, `The chat ${reason}`)],
    })
  })

  test('a file that is nothing but too deep is refused', async () => {
    expect(await refusal('deep.json', `${'['.repeat(10_000)}${']'.repeat(10_000)}`)).toContain(
      'is nested deeper than 5,000 levels',
    )
  })

  test.each([
    ['is longer than 32 MB.', `{"role":"user","content":"${'x'.repeat(11 * 1024 * 1024)}"}`, 3],
    ['has more than 50,000 messages.', '{"role":"user","content":"a"}', 50_001],
    [hollow, `{"role":"user","content":[${'1,'.repeat(40_000)}1]}`, 30],
  ])('a list of messages that %s', async (reason, message, times) => {
    const lines = Array.from({ length: times }, () => message).join('\n')
    expect(await readList(lines, 'list.jsonl')).toEqual({
      titles: [],
      problems: [leftOut('list.jsonl', `The chat ${reason}`)],
    })
  })
})

describe('every form of a file is read within the same limits', () => {
  const cannot = (limit: string) => `cannot be read. The chat ${limit}`
  const kinds: [string, string, string][] = [
    ['depth', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, cannot('is nested deeper than 5,000 levels')],
    ['lists', `[${'[],'.repeat(600_000)}0]`, cannot('is made of more than 1,000,000 values')],
    ['numbers', `[${'1,'.repeat(1_100_000)}0]`, cannot('is made of more than 1,000,000 values')],
    ['one text', `"${'x'.repeat(33 * 1024 * 1024)}"`, cannot('is longer than 32 MB')],
  ]
  describe.each(Object.entries(fileForms))('%s', (_, form) => {
    test.each(kinds)('%s', async (_kind, value, words) => {
      expect(await refusal('bad.json', form(value))).toContain(words)
    })
  })
  describe.each(Object.entries(fileForms))('%s in a zip', (_, form) => {
    test.each(kinds)('%s', async (_kind, value, words) => {
      const zip = zipOf([{ name: 'bad.json', bytes: form(value), isStored: true }])
      expect(await refusal('bad.zip', zip)).toContain(words)
    })
  })
})

test('a file that begins with a text of nothing but quotes is looked at once', async () => {
  // the end of this text was looked for from each of its quotes: minutes in which nobody had an answer
  const quotes = '\\"'.repeat(150_000)
  expect(await refusal('quotes.json', `{"a":"${quotes}"}`)).toBe(`quotes.json ${unknown}`)
})

test('a text that is JSON of very many values stays a text', async () => {
  const input = `[${'[],'.repeat(20_000)}1]`
  const content = [{ type: 'tool_use', id: 't', name: 'dig', input }]
  const { chats } = await readAll('chat.json', JSON.stringify({ messages: [{ role: 'assistant', content }] }))
  expect(chats[0]?.messages[0]?.parts[0]).toMatchObject({ input })
})

test.each([
  ['conversations.json', (bytes: Buffer) => bytes],
  ['export.zip', (bytes: Buffer) => zipOf([{ name: 'conversations.json', bytes, isStored: true }])],
])('a file whose only chat is too long, or cut off, is refused for that reason: %s', async (name, packed) => {
  const long = Buffer.from(`[{"title":"Long","mapping":{"a":"${'x'.repeat(33 * 1024 * 1024)}"}}]`)
  expect(await refusal(name, packed(long))).toBe(
    'conversations.json cannot be read. The chat is longer than 32 MB. It is left out.',
  )
  const cut = Buffer.from(listOf('One').slice(0, -20))
  expect(await refusal(name, packed(cut))).toContain('The file ends in the middle of this chat')
})

test('bytes that are no UTF-8, NUL and halves of characters are replaced, and said', async () => {
  const texts = { One: 'a\u0000b', Two: 'c\ud800d', Three: 'e~f', Four: 'ok \\u0000 😀' }
  const json = JSON.stringify(Object.entries(texts).map(([title, words]) => chatOf(title, words)))
  const bytes = Buffer.from(json)
  bytes[bytes.indexOf('e~f', bytes.indexOf('"parts":["e~f')) + 1] = 0xff
  const { chats } = await readAll('conversations.json', bytes)
  expect(chats.map(({ messages }) => messages[0]?.parts)).toEqual(
    ['a\ufffdb', 'c\ufffdd', 'e\ufffdf', 'ok \\u0000 😀'].map((words) => [{ type: 'text', text: words }]),
  )
  expect(chats.map(({ problems }) => problems.length)).toEqual([1, 1, 1, 0])
})

test('a byte order mark is passed over', async () => {
  expect((await readList(`\ufeff${listOf('One')}`)).titles).toEqual(['One'])
})

test.each(['{"conversations":', '{"version":4,"about":{"chats":[1]},"chats":'])(
  'chats in an object are found: %s',
  async (before) => {
    expect(await readList(`${before} ${listOf('One', 'Two')}, "more": 1}`, 'all.json')).toEqual({
      titles: ['One', 'Two'],
      problems: [],
    })
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
    state: 'output-error',
    errorText: 'The export holds no answer of this tool.',
    input: JSON.stringify(deep),
  })
})

test('reading goes on after any place, over the files of a zip too', async () => {
  const zip = zipOf([
    { name: 'conversations-1.json', bytes: listOf('Zero', '{"title":"broken"}', 'Two') },
    { name: 'conversations-2.json', bytes: listOf('Three') },
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
  await withFile(listOf('One', 'Two'), async (file) => {
    const stop = new AbortController()
    const { items, close } = await openExport(file, { name: 'a.json', signal: stop.signal })
    const reader = items()[Symbol.asyncIterator]()
    await reader.next()
    stop.abort()
    await expect(reader.next()).rejects.toThrow(/abort/i)
    await close()
  })
})

describe('values nested as deeply as is read are kept, wherever they stand', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  const deep = nested(4950)
  const deepList = `${'['.repeat(4950)}1${']'.repeat(4950)}`

  const user = (rest: string) => `{"role":"user",${rest}}`
  const use = (input: string) =>
    `[{"role":"assistant","content":[{"type":"tool_use","id":"x","name":"n","input":${input}}]}]`
  const chatgpt = (content: string) =>
    `[{"title":"t","mapping":{"a":{"message":{"author":{"role":"user"},"content":{"content_type":${content}}}}}}]`

  test.each([
    ['chatgpt part', chatgpt(`"text","parts":[${deep}]`)],
    ['chatgpt content', chatgpt(`"odd","x":${deep}`)],
    ['messages content', `{"messages":[${user(`"content":${deep}`)}]}`],
    ['messages content list', `[${user(`"content":${deepList}`)}]`],
    ['messages parts', `[${user(`"parts":[{"type":"odd","x":${deepList}}]`)}]`],
    [
      'tool result',
      `[${user(`"content":[{"type":"tool_result","tool_use_id":"x","content":${deepList}}]`)}]`,
    ],
    ['tool call', use(deep)],
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
      `[{"chat":{"history":{"messages":{"a":${user(`"content":${deep},"output":[{"type":"function_call","arguments":${deep}}],"files":[${deep}]`)}}}}}]`,
    ],
    [
      'sillytavern',
      `{"user_name":"x","character_name":"y"}\n{"mes":"x","is_user":true,"extra":${deep},"swipes":[${deep}]}`,
    ],
    [
      'llama',
      `[{"conv":{"id":"x"},"messages":[${user(`"id":"a","content":${deep},"toolCalls":${deep},"extra":[${deep}]`)}]}]`,
    ],
    ['string json', use(JSON.stringify(nested(200_000)))],
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
