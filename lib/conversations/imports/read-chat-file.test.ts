import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { bytesOf as contentOf, readChatFile } from './read-chat-file'
import { UnpackedContents } from './unpacked-contents'

const head = '{"format":"ramify.chat","version":1'
const day = '2024-05-01T00:00:00.000Z'
const chat = `"chat":{"id":"c","title":null,"metadata":{},"activeBranchId":"b","createdAt":"${day}","updatedAt":"${day}"}`
const messageOf = (id: number, data: string) =>
  `{"id":"m${id}","parentId":null,"role":"user","createdAt":"${day}","data":${data}}`

async function* bytesOf(pieces: Iterable<string>): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece)
}
const read = (...pieces: string[]) => readChatFile(bytesOf(pieces))

/** A file of so many entries of a list. */
const listOf = (key: string, count: number, entry: (at: number) => string) =>
  readChatFile(
    bytesOf(
      (function* () {
        yield `${head},${chat},"${key}":[`
        for (let at = 0; at < count; at++) yield `${at === 0 ? '' : ','}${entry(at)}`
        yield ']}'
      })(),
    ),
  )

it('given the members of a chat in pieces of any length, then it is what they say, and lists that are missing are empty', async () => {
  const text = `\ufeff${head} , ${chat},\n"messages" :[ ${messageOf(1, '"a, ] \\" }"')} ,${messageOf(2, '{}')}],"files":[]}\n`
  for (const size of [1, 7, 1000]) {
    const bytes = Buffer.from(text)
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    )
    const file = await readChatFile(pieces)
    expect(file.messages.map(({ id, data }) => [id, data])).toEqual([
      ['m1', 'a, ] " }'],
      ['m2', {}],
    ])
    expect([file.chat.id, file.history, file.files]).toEqual(['c', [], []])
  }
})

test.each([
  ['cut off', `${head},${chat},"messages":[${messageOf(1, '{}')}`],
  ['cut off in a key', `${head},${chat},"mess`],
  ['cut off in a text', `${head},"chat":{"id":"c`],
  ['no JSON inside', `${head},"chat":{nothing}}`],
  ['followed by more', `${head},${chat}} {"format":"ramify.chat"}`],
  ['a list of chats', `[${head},${chat}}]`],
  ['a member twice', `${head},${chat},${chat}}`],
  ['a list that is none', `${head},${chat},"messages":{}}`],
  ['a chat that is a list', `${head},"chat":[{}]}`],
  ['without a chat', `${head}}`],
  ['a key of no meaning', `${head},${chat},"__proto__":{"a":1}}`],
])('given a file that is damaged (%s), then it is refused in words', async (_, text) => {
  await expect(read(text)).rejects.toMatchObject({
    code: 'invalid_chat_file',
    message: expect.stringMatching(/damaged|no chat that Ramify/),
  })
})

describe('given a file of ours that is too large, then it is refused, and the words say which limit', () => {
  const values = (what: string) => `An entry under "${what}" is made of more than 500,000 values`
  const kinds: [string, string, (what: string) => string][] = [
    [
      'deep',
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      (what) => `The file of this chat cannot be stored: "${what}" is nested deeper than 64 levels`,
    ],
    ['lists', `[${'[],'.repeat(300_000)}1]`, values],
    ['one number again and again', `[${'1,'.repeat(600_000)}1]`, values],
    ['keys', `{${'"k":1,'.repeat(600_000)}"k":1}`, values],
    [
      'one long text',
      `"${'x'.repeat(73 * 1024 * 1024)}"`,
      (what) => `An entry under "${what}" is larger than ${what === 'files' ? 72 : 32} MB`,
    ],
  ]
  describe.each(kinds)('%s', (_kind, value, words) => {
    test.each([
      ['chat', `"chat":{"a":${value}}`],
      ['messages', `${chat},"messages":[${messageOf(1, '{}')},${messageOf(2, value)}]`],
      ['history', `${chat},"history":[{"payload":${value}}]`],
      ['files', `${chat},"files":[{"content":${value}}]`],
      ['unknown', `"unknown":${value.startsWith('[') ? `{"a":${value}}` : value}`],
    ])('in %s', async (what, members) => {
      await expect(read(`${head},${members}}`)).rejects.toMatchObject({
        code: 'invalid_chat_file',
        message: expect.stringContaining(words(what)),
      })
    })
  })

  const numbers = `[${'1,'.repeat(99_999)}1]`
  const long = `"${'x'.repeat(1024 * 1024)}"`
  test.each([
    ['The chat is longer than 96 MB without its files', 'messages', 97, (at: number) => messageOf(at, long)],
    [
      'The chat is made of more than 2,000,000 values',
      'messages',
      21,
      (at: number) => messageOf(at, numbers),
    ],
    ['The chat has more than 50,000 messages', 'messages', 50_001, (at: number) => messageOf(at, '{}')],
  ])('%s', async (words, key, count, entry) => {
    await expect(listOf(key, count, entry)).rejects.toThrow(words)
  })

  test('of 256 MB in all', async () => {
    const blank = ' '.repeat(1024 * 1024)
    await expect(read(`${head},${chat},`, ...Array.from({ length: 256 }, () => blank))).rejects.toThrow(
      'The file is larger than 256 MB, the most that a chat can be',
    )
  })
})

it('given a chat of 20,000 long messages, then all are read, and other work has its turn meanwhile', async () => {
  let turns = 0
  const count = () => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const text = JSON.stringify({ role: 'user', parts: [{ type: 'text', text: 'long words '.repeat(200) }] })
  const file = await listOf('messages', 20_000, (at) => messageOf(at, text))
  clearImmediate(timer)
  expect(file.messages).toHaveLength(20_000)
  // once for every megabyte at least
  expect(turns).toBeGreaterThan(40)
})

describe('given a file of ours with files in it, when their contents are unpacked', () => {
  const fileOf = (id: string, bytes: Buffer, written = bytes.toString('base64')) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const facts = { id, name: `${id}.txt`, mediaType: 'text/plain', size: bytes.length, sha256 }
    return `${JSON.stringify(facts).slice(0, -1)},"content":"${written}"}`
  }
  const unpack = async (
    files: string[],
    size: number,
    use: (file: Awaited<ReturnType<typeof read>>, contents: UnpackedContents) => Promise<void>,
  ) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'ramify-contents-'))
    const contents = new UnpackedContents(path.join(folder, 'contents'))
    const bytes = Buffer.from(`${head},${chat},"files":[${files}]}`)
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    )
    try {
      await use(await readChatFile(pieces, contents), contents)
      await contents.close()
      expect(existsSync(path.join(folder, 'contents'))).toBe(false)
    } finally {
      await contents.close()
      rmSync(folder, { recursive: true })
    }
  }
  const long = Buffer.from(Array.from({ length: 50_001 }, (_, n) => n % 251))

  it.each([1000, 65_537])(
    'then none is held, and each comes back byte for byte: pieces of %i',
    async (size) => {
      const contents = [long, Buffer.from('short'), long.subarray(0, 49_999), long.subarray(1)]
      const files = contents.map((bytes, n) => fileOf(`f${n}`, bytes))
      // as programs write it that escape each slash
      files.push(fileOf('f4', long, long.toString('base64').replaceAll('/', '\\/')))
      await unpack(files, size, async (file, unpacked) => {
        expect(file.files.map(({ content }) => content)).toEqual([
          undefined,
          'c2hvcnQ=',
          undefined,
          undefined,
          undefined,
        ])
        for (const [at, bytes] of [...contents, long].entries()) {
          const attached = file.files[at]
          expect(attached && (await contentOf(attached, (entry) => unpacked.read(entry)))).toEqual(bytes)
        }
      })
    },
  )

  it('then one that is another than it says is damaged', async () => {
    await unpack(
      [fileOf('f', long, long.subarray(3).toString('base64'))],
      65_537,
      async ({ files: [attached] }, unpacked) => {
        const bytes = attached && contentOf(attached, (entry) => unpacked.read(entry))
        await expect(bytes).rejects.toThrow('The file “f.txt” is damaged in this export')
      },
    )
  })

  it.each([
    [
      'that is no content',
      `{"id":"f","name":"n","mediaType":"${'x'.repeat(5000)}","size":1,"sha256":"","content":"eA=="}`,
    ],
    ['twice', `${fileOf('f', long).slice(0, -1)},"content":"${long.toString('base64')}"}`],
    ['as a value', `"${'x'.repeat(5000)}"`],
  ])('then a long text %s is refused', async (_, file) => {
    await expect(unpack([file], 65_537, async () => undefined)).rejects.toMatchObject({
      code: 'invalid_chat_file',
    })
  })
})
