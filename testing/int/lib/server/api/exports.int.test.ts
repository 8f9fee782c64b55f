import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { exportChat, plantSample, readChatFile, renameChat, restoreChat } from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { ChatFile } from '@/lib/protocol'
import { fileUrl } from '@/lib/protocol/file-types'
import { createServices, type Services } from '@/lib/runtime'
import * as operations from '@/lib/server/api/exports'
import { checkDatabase, rebuild } from '@/lib/store'
import { openArchive } from '@/lib/transfer/archive'
import { type Person, useApi } from '@/testing/worlds/api-world'
import { databaseEnv, onOneDatabase } from '@/testing/worlds/open-stores'
import { pngImage } from '@/testing/worlds/sample-files'
import { addPerson } from '@/testing/worlds/turn-world'

onOneDatabase('chats as files', ({ name }) => {
  const api = useApi(name)
  let here: Services
  let elsewhere: Services
  let database: Awaited<ReturnType<typeof databaseEnv>>

  beforeAll(async () => {
    here = api.services
    database = await databaseEnv(name)
    elsewhere = await createServices({ ...database.env, RAMIFY_LOCAL_MODELS: 'off' })
  })
  afterAll(async () => {
    await elsewhere?.database.close()
    await database?.remove()
  })

  const stranger = () => addPerson(elsewhere)
  const exported = ({ ask }: Person, id: string, query = '') => ask(operations.exportChat, { id, query })
  const fileTextOf = async (services: Services, ownerId: string, chatId: string) => {
    let text = ''
    for await (const piece of (await exportChat(services.ports, { ownerId, chatId, format: 'json' }))
      .content) {
      text += piece
    }
    return text
  }
  const restore = async (services: Services, ownerId: string, text: string) =>
    restoreChat(services.ports, { ownerId, file: await readChatFile([Buffer.from(text)]) })

  /** A chat with branches, a merge, a pick, checkpoints, a picture, and words in several scripts. */
  const sampleChat = async (ownerId: string, more = Buffer.alloc(0)) => {
    const { chatId } = await plantSample(here.ports, ownerId)
    const graph = await here.ports.reads.graph(chatId, ownerId)
    const main = graph?.branches.find(({ id }) => id === graph.activeBranchId)
    const picture = await here.files.store(ownerId, {
      name: 'карта 🗺.png',
      mediaType: 'image/png',
      bytes: Buffer.concat([pngImage(chatId), more]),
    })
    if (!main || !picture) throw new Error('the sample has no branch')
    const part = { type: 'file', mediaType: 'image/png', filename: 'карта 🗺.png', url: fileUrl(picture.id) }
    const said = { type: 'text', text: 'הסתכל, 地図 — </script><img src=x onerror=alert(1)>' }
    const message = {
      id: 'with-a-file',
      name: 'user',
      type: 'message',
      preview: 'map',
      createdAt: Date.now(),
      data: { id: 'with-a-file', role: 'user', parts: [part, said] },
      files: [picture.id],
    }
    const to = { branchId: main.id, expectedHead: main.headId }
    const steps = [{ kind: 'append' as const, ...to, messages: [message] }]
    await here.store.commit({ chatId, ownerId, at: Date.now(), steps })
    const summed = { messageId: 'with-a-file', leftOut: '', text: 'A map.', model: 'demo:demo' }
    await here.ports.summaries.save(chatId, summed)
    await renameChat(here.ports, { ownerId, chatId, title: 'Лиссабон / “海”' })
    const tags = { all: { море: 'Море', trips: 'Trips' } }
    await here.ports.listed.change(ownerId, { ids: [chatId] }, { pinned: true, archived: true, tags })
    return { chatId, picture }
  }
  const isSound = async (services: Services) => {
    expect(await checkDatabase(services.database)).toEqual([])
    expect(await rebuild(services.database, { dry: true })).toMatchObject({ differences: 0, left: 0 })
  }

  it('given a chat, when its file is restored elsewhere, then its file there is the same, byte for byte', async () => {
    const [ada, eve] = [await api.person(), await stranger()]
    const { chatId } = await sampleChat(ada.id)
    const { status, headers, text } = await exported(ada, chatId, '?format=json')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="________-_.ramify.json"; filename*=UTF-8''${encodeURIComponent('Лиссабон-海.ramify.json')}`,
    )
    const done = await restore(elsewhere, eve, text)
    expect(done).toMatchObject({ chatId, outcome: 'restored' })
    expect(done.messages.added).toBe(done.messages.found)
    expect(await fileTextOf(elsewhere, eve, chatId)).toBe(text)
    await isSound(elsewhere)
    // and again nothing is new
    const { seq } = (await elsewhere.ports.exports.chat(chatId, eve)) ?? {}
    const nothing = { messages: { added: 0 } }
    expect(await restore(elsewhere, eve, text)).toMatchObject({ outcome: 'unchanged', ...nothing })
    expect(await elsewhere.ports.exports.chat(chatId, eve)).toMatchObject({ seq })
  })

  it('given a chat that was restored, when it has gone on, then a later file adds what is new, and one of another way is a copy', async () => {
    const [ada, bob] = [await api.person(), await api.person()]
    const { chatId, picture } = await sampleChat(ada.id)
    const before = await exported(ada, chatId)
    // another person restores it on the same server: ids of theirs, the same names
    expect(await restore(here, bob.id, before.text)).toMatchObject({ chatId, outcome: 'restored' })
    const [own] = (await here.ports.exports.chat(await keyOf(bob.id, chatId), bob.id))?.files ?? []
    expect(own).toMatchObject({ sha256: picture.sha256 })
    expect(own?.id).not.toBe(picture.id)

    const graph = await here.ports.reads.graph(chatId, ada.id)
    const branchId = graph?.branches[0]?.id ?? ''
    const rename = (ownerId: string, chatId: string, name: string) => {
      const steps = [{ kind: 'rename-branch' as const, branchId, name }]
      return here.store.commit({ chatId, ownerId, at: Date.now(), steps })
    }
    await rename(ada.id, chatId, 'further')
    const later = await exported(ada, chatId)
    const continued = { chatId, outcome: 'continued', messages: { added: 0 } }
    expect(await restore(here, bob.id, later.text)).toMatchObject(continued)
    expect(await restore(here, bob.id, before.text)).toMatchObject({ outcome: 'unchanged' })

    await rename(bob.id, await keyOf(bob.id, chatId), 'elsewhere')
    await rename(ada.id, chatId, 'another way')
    const split = await exported(ada, chatId)
    const copy = await restore(here, bob.id, split.text)
    expect(copy).toMatchObject({ outcome: 'copied' })
    expect(copy.chatId).not.toBe(chatId)
    const same = { ...copy, outcome: 'unchanged', messages: { ...copy.messages, added: 0 } }
    expect(await restore(here, bob.id, split.text)).toEqual(same)
    expect((await exported(ada, chatId)).text).toBe(split.text)
    await isSound(here)
  })

  const keyOf = async (ownerId: string, called: string) =>
    (await here.ports.reads.chatCalled(called, ownerId)) ?? called

  describe('given a file that is wrong', () => {
    type Message = ChatFile['messages'][number]
    const messages = (change: (all: Message[]) => unknown[]) => (file: ChatFile) => ({
      ...file,
      messages: change(file.messages),
    })
    const chat = (change: object) => (file: ChatFile) => ({ ...file, chat: { ...file.chat, ...change } })
    const wrong: Record<string, (file: ChatFile) => unknown> = {
      'of another program': () => ({ messages: [] }),
      'of a later version': (file) => ({ ...file, version: 2 }),
      'with a field of no meaning': (file) => ({ ...file, more: 1 }),
      'without messages': ({ messages: _, ...file }) => file,
      'with a message twice': messages((all) => [...all, ...all.slice(0, 1)]),
      'with a message that nothing records': messages((all) => [...all, { ...all[0], id: 'nowhere' }]),
      'with a parent that is missing': messages((all) =>
        all.with(2, { ...all[2], parentId: 'gone' } as Message),
      ),
      'with a circle of parents': messages(([first, second, ...more]) => [
        ...[{ ...first, parentId: second?.id ?? '' }, second, ...more],
      ]),
      'with a context of another content': (file) => ({
        ...file,
        contexts: file.contexts.map((context) => ({ ...context, model: 'evil:model' })),
      }),
      'with a branch that stands elsewhere': ({ branches, ...file }) => ({
        ...file,
        branches: branches.map((one) => ({ ...one, headId: file.messages[0]?.id ?? null })),
      }),
      'with an event less': (file) => ({ ...file, history: file.history.toSpliced(3, 1) }),
      'with a picture of other bytes': ({ files, ...file }) => ({
        ...file,
        files: files.map((one) => ({ ...one, content: btoa('\0'.repeat(one.size)) })),
      }),
      'with a body that no page can show': messages((all) =>
        all.map((message) => ({ ...message, data: { parts: [null] } })),
      ),
      'with a date of no year': chat({ createdAt: 'yesterday' }),
      'with half a character': chat({ title: 'a\ud800' }),
    }
    let good: string
    beforeAll(async () => {
      const { id } = await api.person()
      good = await fileTextOf(here, id, (await sampleChat(id)).chatId)
    })
    it.each(Object.entries(wrong))(
      '%s, when it is restored, then that is refused in words, and nothing is written',
      async (_, change) => {
        const eve = await stranger()
        await expect(restore(elsewhere, eve, JSON.stringify(change(JSON.parse(good))))).rejects.toMatchObject(
          {
            code: 'invalid_chat_file',
            message: expect.stringMatching(/\.$/),
          },
        )
        expect(await elsewhere.ports.exports.chatsOf(eve, { after: null, limit: 10 })).toEqual([])
        expect(await elsewhere.database.query('select 1 from files where owner_id = $1', [eve])).toEqual([])
      },
    )
  })

  it('given another person’s chat and a chat that never was, when any of their files is asked for, then the answers are equal byte for byte', async () => {
    const [ada, bob] = [await api.person(), await api.person()]
    const { chatId } = await plantSample(here.ports, ada.id)
    const told = async (id: string, query: string) => {
      const { status, text, headers } = await exported(bob, id, query)
      return { status, text, headers: [...headers] }
    }
    const formats = ['markdown', 'html', 'jsonl', 'html&branch=main']
    for (const query of ['', ...formats.map((format) => `?format=${format}`)])
      expect(await told(chatId, query)).toEqual({ ...(await told(newId(), query)), status: 404 })
    expect(await exported(ada, chatId, '?format=html&branch=nowhere')).toMatchObject({ status: 404 })
    expect(await exported(ada, chatId, '?format=exe')).toMatchObject({ status: 400 })
    expect(await exported(ada, chatId, '?branch=main')).toMatchObject({ status: 400 })
  })

  it('given a chat, when it is exported for reading, then every message is in it once, and nothing of it runs', async () => {
    const ada = await api.person()
    const { chatId } = await sampleChat(ada.id)
    const count = (await here.ports.reads.graph(chatId, ada.id))?.nodes.length ?? 0
    const as = async (format: string) => (await exported(ada, chatId, `?format=${format}`)).text
    const page = await as('html')
    expect(page.match(/<article /g)).toHaveLength(count)
    expect(page).toContain('data:image/png;base64,')
    expect(page).toContain('&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;')
    // its letters are in it too
    const rest = page.replaceAll(/url\(data:font\/woff2;base64,[\w+/=]+\)/g, '')
    expect(rest).not.toMatch(/<script|<img src=x|<iframe|src="http|url\(/i)
    expect((await as('markdown')).match(/^## /gm)).toHaveLength(count)
    expect((await as('markdown&branch=main')).match(/^## /gm)?.length).toBeLessThan(count)
    const lines = (await as('jsonl')).trim().split('\n')
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) {
      const { messages } = JSON.parse(line) as { messages: { role: string }[] }
      expect([messages[0]?.role, messages.at(-1)?.role]).toEqual(['system', 'assistant'])
    }
  })

  it('given several chats, when everything is exported, then the zip holds each chat and each file once, and restores them', async () => {
    const [ada, eve] = [await api.person(), await stranger()]
    const chats = [await sampleChat(ada.id), await sampleChat(ada.id)]
    const { status, type, bytes } = await ada.ask(operations.exportAll)
    expect([status, type]).toEqual([200, 'application/zip'])
    const folder = mkdtempSync(path.join(tmpdir(), 'ramify-export-'))
    writeFileSync(path.join(folder, 'all.zip'), bytes)
    const zip = await openArchive(path.join(folder, 'all.zip'), 'all.zip')
    const open = async (entry: string) => {
      const stream = await zip.open(entry)
      return stream && buffer(stream)
    }
    const read = async (entry: string) => JSON.parse(String(await open(entry)))
    expect(zip.names.filter((entry) => entry.startsWith('files/'))).toHaveLength(2)
    const manifest = await read('manifest.json')
    expect(manifest).toMatchObject({ format: 'ramify.export', version: 1 })
    expect(manifest.chats.map(({ id }: { id: string }) => id)).toEqual(chats.map(({ chatId }) => chatId))
    for (const { id, entry } of manifest.chats) {
      const file = await readChatFile((await zip.open(entry)) ?? [])
      const done = await restoreChat(elsewhere.ports, { ownerId: eve, file, open })
      expect(done).toMatchObject({ chatId: id, outcome: 'restored' })
      expect(await fileTextOf(elsewhere, eve, id)).toBe(await fileTextOf(here, ada.id, id))
    }
    zip.close()
    rmSync(folder, { recursive: true })
  })

  it('given an export of everything under way, when another is asked for, then it is refused until the first one’s client has left', async () => {
    const ada = await api.person()
    // more than is written ahead of its reader
    await sampleChat(ada.id, randomBytes(8_000_000))
    const headers = { cookie: ada.browser.cookie }
    const exportAll = () => api.respond(operations.exportAll, { headers })
    const first = await exportAll()
    const second = await exportAll()
    expect([second.status, (await second.json()).code]).toEqual([409, 'export_running'])
    await first.body?.cancel()
    await vi.waitFor(async () => {
      const third = await exportAll()
      expect(third.status).toBe(200)
      await third.body?.cancel()
    }, 10_000)
  })

  /** The entries of a zip that an operation answers with, by their names. */
  const entriesOf = async (response: Response) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'ramify-zip-'))
    const file = path.join(folder, 'chat.zip')
    writeFileSync(file, Buffer.from(await response.arrayBuffer()))
    const zip = await openArchive(file, 'chat.zip')
    const entries: Record<string, Buffer> = {}
    for (const name of zip.names) {
      const entry = await zip.open(name)
      if (entry) entries[name] = await buffer(entry)
    }
    zip.close()
    rmSync(folder, { recursive: true })
    return entries
  }
  const zipOf = async (ada: Person, chatId: string, query: string) =>
    entriesOf(
      await api.respond(operations.exportChat, {
        id: chatId,
        query,
        headers: { cookie: ada.browser.cookie },
      }),
    )

  it('given a chat with a picture, when it is exported as Markdown with its files, then the text shows the picture beside it', async () => {
    const ada = await api.person()
    const { chatId, picture } = await sampleChat(ada.id)
    const entries = await zipOf(ada, chatId, '?format=markdown-zip')
    const [text, image, ...others] = Object.keys(entries)
    expect(others).toEqual([])
    expect(text).toMatch(/^Лиссабон-.*\.md$/)
    expect(image).toBe(`files/карта-${picture.sha256.slice(0, 8)}.png`)
    expect(entries[image ?? '']?.equals(pngImage(chatId))).toBe(true)
    const [, shown = ''] = /!\[[^\]]*\]\(([^)]+)\)/.exec(String(entries[text ?? ''])) ?? []
    expect(decodeURIComponent(shown)).toBe(image)
  })

  it('given a chat with a picture, when it is exported as DOCX, then every reference of its text has its part', async () => {
    const ada = await api.person()
    const { chatId, picture } = await sampleChat(ada.id)
    const entries = await zipOf(ada, chatId, '?format=docx')
    expect(Object.keys(entries)[0]).toBe('[Content_Types].xml')
    expect(entries[`word/media/${picture.sha256}.png`]?.equals(pngImage(chatId))).toBe(true)
    const text = String(entries['word/document.xml'])
    expect(text).toContain('הסתכל, 地図 — &lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;')
    const relations = String(entries['word/_rels/document.xml.rels'])
    for (const [, id] of text.matchAll(/r:(?:id|embed)="(\w+)"/g)) expect(relations).toContain(`Id="${id}"`)
    const lists = String(entries['word/numbering.xml'])
    for (const [, id] of text.matchAll(/<w:numId w:val="(\d+)"/g)) expect(lists).toContain(`w:numId="${id}"`)
    for (const xml of [text, relations, lists, String(entries['word/styles.xml'])]) expectNested(xml)
  })

  /** Every element ends where it has begun. */
  const expectNested = (xml: string) => {
    const open: string[] = []
    for (const [, end, name = '', self] of xml.matchAll(/<(\/?)([a-zA-Z:]+)[^<>]*?(\/?)>/g)) {
      if (end) expect(open.pop()).toBe(name)
      else if (!self) open.push(name)
    }
    expect(open).toEqual([])
  }

  it('given parts to leave out, when JSON or a part that is none is asked for, then it is refused', async () => {
    const ada = await api.person()
    const { chatId } = await sampleChat(ada.id)
    const { status, text } = await exported(ada, chatId, '?format=json&without=thoughts')
    expect([status, JSON.parse(text).code]).toEqual([400, 'whole_chat_only'])
    expect((await exported(ada, chatId, '?format=markdown&without=images')).status).toBe(400)
    expect((await exported(ada, chatId, '?format=markdown&without=thoughts,tools')).status).toBe(200)
  })

  it('given several chats, when some are picked by their ids or by a filter, then the zip holds those alone', async () => {
    const [ada, eve] = [await api.person(), await api.person()]
    // it is archived, and has a tag
    await sampleChat(ada.id)
    const { chatId: first } = await plantSample(here.ports, ada.id)
    const { chatId: second } = await plantSample(here.ports, ada.id)
    const picked = async (query: string) =>
      Object.keys(
        await entriesOf(
          await api.respond(operations.exportAll, { query, headers: { cookie: ada.browser.cookie } }),
        ),
      )
    expect(await picked(`?ids=${first},${second}&format=markdown`)).toEqual([
      expect.stringMatching(/^chats\/000001-.*\.md$/),
      expect.stringMatching(/^chats\/000002-.*\.md$/),
    ])
    const folder = /^chats\/000001-[^/]*\/(?:[^/]*\.md|files\/[^/]*\.png)$/
    const entries = await picked('?filter=true&archived=true&tag=trips&format=markdown-zip')
    expect(entries).toEqual([expect.stringMatching(folder), expect.stringMatching(folder)])
    expect(await picked(`?filter=true&except=${first}`)).toEqual([
      expect.stringMatching(/^chats\/000001-/),
      'manifest.json',
    ])
    // another person's chat is passed over
    const { chatId: hers } = await plantSample(here.ports, eve.id)
    expect(await picked(`?ids=${hers}&format=markdown`)).toEqual([])
  })
})
