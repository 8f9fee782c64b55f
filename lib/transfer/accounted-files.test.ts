import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ForeignChat, UnreadableExportError } from '@/lib/transfer'
import { drawn, fixture, fixtures, readAll, readChat, readFixture } from '@/testing/worlds/exported-files'
import { zipOf } from '@/testing/worlds/zip-file'

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
      'all.zip: 1 file is not brought, because it is a zip, which is read by itself: inner.zip.',
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

describe('a file that is cut off anywhere is refused, or says so', () => {
  const samples = ['.', 'faults'].flatMap((room) =>
    readdirSync(path.join(fixtures, room))
      .filter((called) => /\.jsonl?$/.test(called) && !called.startsWith('17-'))
      .map((called) => path.join(room, called)),
  )
  const said = (chats: readonly ForeignChat[]) =>
    JSON.stringify(chats.map(({ messages }) => messages.map(({ parts }) => parts)))

  test.each(samples)('%s', async (name) => {
    const bytes = fixture(name)
    const whole = said((await readAll(name, bytes)).chats)
    for (let end = 1; end < bytes.length; end += 97) {
      const found = await readAll(name, bytes.subarray(0, end)).catch((error: unknown) => error)
      if (found instanceof UnreadableExportError) continue
      const { chats, problems, notes } = found as Awaited<ReturnType<typeof readAll>>
      const told = problems.length + notes.length + chats.flatMap((chat) => chat.problems).length
      // lines that are missing at the end of a file of lines cannot be known
      const isAtLine = /\.jsonl$/.test(name) && [0x0a, 0x7d].includes(bytes[end - 1] ?? 0)
      if (told === 0 && !isAtLine) expect(said(chats)).toBe(whole)
    }
  })
})
