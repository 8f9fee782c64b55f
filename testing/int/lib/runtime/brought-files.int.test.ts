import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sentPrompt } from '@/lib/ai'
import {
  driveImport,
  exportChat,
  readChatFile,
  readImport,
  restoreChat,
  startImport,
} from '@/lib/conversations'
import { compilePrompt } from '@/lib/conversations/replies/prompt'
import { lostContent } from '@/testing/worlds/lost-content'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import type { StoredChat } from '@/testing/worlds/said-differences'
import { withoutLastMessage } from '@/testing/worlds/said-in-file'
import { valuesIn } from '@/testing/worlds/stored-letters'
import { addPerson, givenWorld, isSound } from '@/testing/worlds/turn-world'
import { zipOf } from '@/testing/worlds/zip-file'

const samples = path.join(import.meta.dirname, '../../../fixtures/exports')

onOneDatabase('files of other programs, from the file to what is stored', ({ name }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-brought-'))
  const { services } = givenWorld(name, { RAMIFY_LOCAL_MODELS: 'off' })
  const { services: elsewhere } = givenWorld(name, { RAMIFY_LOCAL_MODELS: 'off' })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const bring = async (ownerId: string, file: string, called = path.basename(file)) => {
    const started = await startImport(services.ports, { ownerId, path: file, name: called })
    const taken = await driveImport(services.ports, new AbortController().signal)
    await taken?.ended
    return readImport(services.ports, { ownerId, importId: started?.importId ?? '' })
  }
  const sample = (called: string) => path.join(samples, called)
  const written = (called: string, bytes: Buffer | string) => {
    const file = path.join(folder, called)
    writeFileSync(file, bytes)
    return file
  }
  const chatsOf = (ownerId: string) => services.store.listChats({ userId: ownerId })
  const fileOf = async (ownerId: string, chatId: string, { ports } = services) => {
    let text = ''
    for await (const piece of (await exportChat(ports, { ownerId, chatId, format: 'json' })).content)
      text += piece
    return text
  }
  const storedOf = async (ownerId: string, chatId: string) =>
    JSON.parse(await fileOf(ownerId, chatId)) as StoredChat
  const messagesOf = async (ownerId: string) => {
    const stored = await Promise.all((await chatsOf(ownerId)).map(({ id }) => storedOf(ownerId, id)))
    return stored
      .flatMap(({ messages }) => messages)
      .map(({ data, ...message }): StoredMessage => ({ ...message, ...data }))
  }
  interface StoredMessage {
    id: string
    role: string
    parentId?: string | null
    parts: { type: string; text?: string; filename?: string }[]
    metadata?: Record<string, unknown>
  }
  const wordsOf = ({ parts }: StoredMessage) =>
    parts
      .map(({ text }) => text ?? '')
      .join(' ')
      .trim()

  const files = ['.', 'faults', 'formats'].flatMap((room) =>
    readdirSync(sample(room))
      .filter((called) => called.includes('.') && !called.startsWith('17-'))
      .map((called) => path.join(room, called)),
  )

  describe('given a sample, then all that it says is stored or named in the report, and it comes in once', () => {
    it.each(files)('%s', async (called) => {
      const ownerId = await addPerson(services)
      const report = await bring(ownerId, sample(called))
      expect(report.status).toBe('done')
      const chats = await chatsOf(ownerId)
      const stored = await Promise.all(chats.map(({ id }) => storedOf(ownerId, id)))
      expect(await lostContent(sample(called), stored, report)).toEqual([])
      const again = await bring(ownerId, sample(called))
      expect(again.chats).toMatchObject({ imported: 0, unchanged: report.chats.imported })
      expect((await chatsOf(ownerId)).length).toBe(chats.length)

      // the file that Ramify makes of it is the same on another server
      const bob = await addPerson(elsewhere)
      for (const { id } of chats) {
        const text = await fileOf(ownerId, id)
        const file = await readChatFile([Buffer.from(text)])
        expect(await restoreChat(elsewhere.ports, { ownerId: bob, file })).toMatchObject({
          outcome: 'restored',
        })
        expect(await fileOf(bob, id, elsewhere)).toBe(text)
      }
    })
  })

  describe('given a sample without its last message, and the whole one later, then the message is all that is added', () => {
    // only a reply says that a chat is of Qwen
    const lists = files.filter((called) => /\.jsonl?$/.test(called) && called !== 'formats/qwen.json')
    it.each(lists)('%s', async (called) => {
      const values = valuesIn(readFileSync(sample(called), 'utf8'))
      const shorter = values && withoutLastMessage(values.length === 1 ? values[0] : values)
      if (!shorter) return
      const lines = called.endsWith('.jsonl') ? (shorter as unknown[]) : [shorter]
      const [ownerId, other] = [await addPerson(services), await addPerson(services)]
      const file = written(
        `short-${path.basename(called)}`,
        lines.map((line) => JSON.stringify(line)).join('\n'),
      )
      await bring(ownerId, file, path.basename(called))
      await bring(ownerId, sample(called))
      await bring(other, sample(called))
      const wordsFor = async (who: string) => (await messagesOf(who)).map(wordsOf).toSorted()
      const [grown, whole] = [await wordsFor(ownerId), await wordsFor(other)]
      expect(grown).toEqual(expect.arrayContaining(whole))
      // a reply that was not at its end stays beside the whole one
      const rest = [...whole]
      const more = grown.filter(
        (words) => !rest.includes(words) || rest.splice(rest.indexOf(words), 1).length === 0,
      )
      for (const words of more)
        expect(
          whole.some((said) => said !== words && said.startsWith(words)),
          words,
        ).toBe(true)
      expect((await chatsOf(ownerId)).length).toBe((await chatsOf(other)).length)
    })
  })

  const chatgpt = (id: string, ...nodes: object[]) =>
    JSON.stringify([{ id, title: id, mapping: mappingOf(nodes) }])
  const mappingOf = (nodes: object[]) =>
    Object.fromEntries((nodes as { id: string }[]).map((node) => [node.id, node]))
  const said = (id: string, parent: string | null, role: string, words: unknown, metadata = {}) => ({
    id,
    parent,
    children: [],
    message: {
      author: { role },
      content: { content_type: 'multimodal_text', parts: [words].flat() },
      metadata,
    },
  })
  const webui = (...messages: [id: string, parentId: string | null, role: string, content: string][]) =>
    JSON.stringify([
      {
        id: 'o',
        title: 'O',
        chat: {
          history: {
            currentId: messages.at(-1)?.[0],
            messages: Object.fromEntries(
              messages.map(([id, parentId, role, content]) => [id, { id, parentId, role, content }]),
            ),
          },
        },
      },
    ])

  describe('given a file that says more than one before, then what is new is added, and nothing else', () => {
    it('a picture that comes with the second file is on a branch of its own, with the reply below it', async () => {
      const ownerId = await addPerson(services)
      await bring(ownerId, sample('faults/04a-first-conversations.json'))
      const report = await bring(ownerId, sample('faults/04b-then-export.zip'))
      expect(report).toMatchObject({ chats: { imported: 1, unchanged: 0 }, messages: { imported: 2 } })
      const messages = await messagesOf(ownerId)
      expect(messages.map(wordsOf)).toEqual([
        '[Picture: not in the export] what is it',
        'a dot',
        'what is it',
        'a dot',
      ])
      const withPicture = messages.find(({ parts }) => parts.some(({ type }) => type === 'file'))
      expect(messages.at(-1)?.parentId).toBe(withPicture?.id)
      // the poorer file afterwards, and the fuller one again, add nothing
      for (const file of ['faults/04a-first-conversations.json', 'faults/04b-then-export.zip'])
        expect((await bring(ownerId, sample(file))).chats).toMatchObject({ imported: 0, unchanged: 1 })
      expect((await messagesOf(ownerId)).length).toBe(4)
      await isSound(services)
    })

    it('words that were edited in place are a branch, and the old ones stay', async () => {
      const ownerId = await addPerson(services)
      await bring(ownerId, sample('faults/05a-open-webui-before.json'))
      const report = await bring(ownerId, sample('faults/05b-open-webui-edited-in-place.json'))
      expect(report).toMatchObject({ chats: { imported: 1 }, messages: { imported: 1 } })
      const [chat] = await chatsOf(ownerId)
      expect(chat).toMatchObject({ messageCount: 3, branchCount: 2 })
      expect((await messagesOf(ownerId)).map(wordsOf)).toEqual(['q', 'old words', 'new words'])
      const again = await bring(ownerId, sample('faults/05b-open-webui-edited-in-place.json'))
      expect(again.chats).toMatchObject({ imported: 0, unchanged: 1 })
    })

    it.each<[string, string, string, string[]]>([
      [
        'a question in the middle',
        webui(
          ['u', null, 'user', 'one'],
          ['a', 'u', 'assistant', 'first'],
          ['v', 'a', 'user', 'two'],
          ['b', 'v', 'assistant', 'second'],
        ),
        webui(
          ['u', null, 'user', 'one'],
          ['a', 'u', 'assistant', 'first'],
          ['v', 'a', 'user', 'two, edited'],
          ['b', 'v', 'assistant', 'second'],
        ),
        ['one', 'first', 'two', 'second', 'two, edited', 'second'],
      ],
      [
        'the first question of a mapping',
        chatgpt('edit', said('u', null, 'user', 'old'), said('a', 'u', 'assistant', 'reply')),
        chatgpt('edit', said('u', null, 'user', 'new'), said('a', 'u', 'assistant', 'reply')),
        ['old', 'reply', 'new', 'reply'],
      ],
      [
        'a reply and a new turn below it',
        webui(['u', null, 'user', 'one'], ['a', 'u', 'assistant', 'first']),
        webui(['u', null, 'user', 'one'], ['a', 'u', 'assistant', 'changed'], ['v', 'a', 'user', 'more']),
        ['one', 'first', 'changed', 'more'],
      ],
      [
        'nothing but blanks and signs',
        webui(['u', null, 'user', 'Hello, there'], ['a', 'u', 'assistant', 'Hi']),
        webui(['u', null, 'user', 'Hello, there!'], ['a', 'u', 'assistant', ' Hi ']),
        ['Hello, there', 'Hi'],
      ],
    ])('edited in place: %s', async (title, before, after, words) => {
      const ownerId = await addPerson(services)
      await bring(ownerId, written(`before ${title}.json`, before))
      await bring(ownerId, written(`after ${title}.json`, after))
      expect((await messagesOf(ownerId)).map(wordsOf).toSorted()).toEqual(words.toSorted())
      const chats = await chatsOf(ownerId)
      expect(chats.length).toBe(1)
      await bring(ownerId, written(`again ${title}.json`, after))
      expect((await messagesOf(ownerId)).length).toBe(words.length)
      await isSound(services)
    })

    it('the same list under other names comes in once, and one that says something else beside it', async () => {
      const ownerId = await addPerson(services)
      const list = (...texts: string[]) =>
        JSON.stringify(texts.map((content, at) => ({ role: at % 2 ? 'assistant' : 'user', content })))
      expect((await bring(ownerId, sample('faults/18-list.json'))).chats).toMatchObject({ imported: 1 })
      for (const called of ['18-list (1).json', 'copy of list.json', 'list.jsonl']) {
        const again = await bring(ownerId, sample('faults/18-list.json'), called)
        expect(again.chats).toMatchObject({ found: 1, imported: 0, unchanged: 1 })
      }
      const other = await bring(ownerId, written('other.json', list('q', 'another reply')))
      expect(other.chats).toMatchObject({ imported: 1 })
      const zip = zipOf([
        { name: 'one.json', bytes: list('twice', 'in one zip') },
        { name: 'two.json', bytes: list('twice', 'in one zip') },
      ])
      expect((await bring(ownerId, written('both.zip', zip))).chats).toMatchObject({
        imported: 1,
        unchanged: 1,
      })
      expect((await chatsOf(ownerId)).length).toBe(3)
    })
  })

  it("given a zip with files of two programs, then each is known as its program's when it comes alone", async () => {
    const ownerId = await addPerson(services)
    const claude = { uuid: '1', name: 'Claude', chat_messages: [{ uuid: 'm', sender: 'human', text: 'one' }] }
    const files = {
      'claude.json': JSON.stringify([claude]),
      'conversations.json': chatgpt('1', said('u', null, 'user', 'two')),
    }
    const zip = zipOf(Object.entries(files).map(([called, bytes]) => ({ name: called, bytes })))
    expect((await bring(ownerId, written('two.zip', zip))).chats).toMatchObject({ imported: 2 })
    for (const [called, text] of Object.entries(files)) {
      const { chats } = await bring(ownerId, written(called, text))
      expect(chats).toMatchObject({ imported: 0, unchanged: 1 })
    }
    expect((await chatsOf(ownerId)).length).toBe(2)
  })

  describe("given messages that their program did not show, then they are kept, are nobody's words, and no model is sent them", () => {
    const sentOf = async (messages: readonly StoredMessage[]) => {
      const chain = messages.map((message) => ({ data: message as never }))
      const { system, messages: sent } = await sentPrompt(compilePrompt(chain, null), undefined)
      return JSON.stringify([system, sent])
    }

    it('hidden notes of ChatGPT', async () => {
      const ownerId = await addPerson(services)
      await bring(ownerId, sample('faults/06-chatgpt-hidden.json'))
      const messages = await messagesOf(ownerId)
      const hidden = messages.filter(({ metadata }) => metadata?.hidden !== undefined)
      expect(hidden.map(({ role, metadata }) => [role, metadata?.hidden])).toEqual([
        ['system', 'system'],
        ['system', 'user'],
        ['system', 'assistant'],
        ['system', 'assistant'],
        ['system', 'system'],
      ])
      expect(JSON.stringify(hidden)).toContain('HIDDEN-MEMORY likes tea')
      const sent = await sentOf(messages)
      expect(sent).not.toContain('HIDDEN')
      expect(sent).toContain('question two')
    })

    it.each<[string, string, string]>([
      [
        'a hidden question of ChatGPT',
        'a.json',
        chatgpt(
          'h1',
          said('u', null, 'user', 'SECRET', { is_visually_hidden_from_conversation: true }),
          said('a', 'u', 'assistant', 'shown'),
        ),
      ],
      [
        'a memory between two messages',
        'b.json',
        chatgpt(
          'h2',
          said('u', null, 'user', 'shown'),
          said('s', 'u', 'system', 'SECRET'),
          said('a', 's', 'assistant', 'shown too'),
        ),
      ],
      [
        'a line of SillyTavern that is not for the model',
        'c.jsonl',
        [
          '{"user_name":"x","character_name":"y","chat_metadata":{}}',
          '{"name":"x","is_user":true,"mes":"shown"}',
          '{"name":"y","is_user":false,"is_system":true,"mes":"SECRET"}',
        ].join('\n'),
      ],
    ])('%s', async (_, called, text) => {
      const ownerId = await addPerson(services)
      await bring(ownerId, written(called, text))
      const messages = await messagesOf(ownerId)
      expect(
        messages
          .filter(({ role }) => role !== 'system')
          .map(wordsOf)
          .join(),
      ).not.toContain('SECRET')
      expect(messages.map(wordsOf).join()).toContain('SECRET')
      const sent = await sentOf(messages)
      expect(sent).toContain('shown')
      expect(sent).not.toContain('SECRET')
    })
  })

  it('given tools whose names no provider takes, then a valid name is sent, and the page shows the original', async () => {
    const ownerId = await addPerson(services)
    await bring(ownerId, sample('faults/08-chatgpt-tool-name-with-dot.json'))
    const [called] = (await messagesOf(ownerId)).flatMap(({ parts }) =>
      parts.filter(({ type }) => type === 'dynamic-tool'),
    )
    expect(called).toMatchObject({ toolName: 'canmore.create_textdoc' })
    for (const toolName of ['canmore.create_textdoc', 'web run', '3d-view', 'é', 'x'.repeat(90)]) {
      const data = { id: 'a', role: 'assistant', parts: [{ ...called, toolName }] }
      const sent = await sentPrompt(
        compilePrompt(
          [{ data: { id: 'q', role: 'user', parts: [{ type: 'text', text: 'q' }] } }, { data }],
          null,
        ),
        { provider: 'openai', model: 'gpt-4o' } as never,
      )
      expect(JSON.stringify(sent.messages)).toMatch(/"toolName":"[A-Za-z_][A-Za-z0-9_-]{0,63}"/)
    }
  })
})
