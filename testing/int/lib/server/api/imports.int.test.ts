import { expect, it } from 'vitest'
import { driveImport } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { exportAll } from '@/lib/server/api/exports'
import {
  cancelFileImport,
  importFile,
  listFileImports,
  previewFile,
  readFileImport,
} from '@/lib/server/api/imports'
import { checkDatabase } from '@/lib/store'
import { useApi } from '@/testing/worlds/api-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { brokenForms } from '@/testing/worlds/sample-files'
import { zipOf } from '@/testing/worlds/zip-file'

/** A conversation as ChatGPT exports it, whose question was asked in two ways. */
const conversation = (id: string) => {
  const node = (own: string, parent: string | null, role?: string, text?: string) => {
    const content = { content_type: 'text', parts: [text] }
    const message = { id: own, author: { role }, create_time: 1_683_000_000, content }
    return { id: own, parent, children: [], message: role ? message : null }
  }
  const times = { create_time: 1_683_000_000, update_time: 1_683_000_900 }
  return {
    id,
    title: `About ${id}`,
    ...times,
    current_node: 'a2',
    mapping: {
      root: node('root', null),
      q1: node('q1', 'root', 'user', 'How far is the moon?'),
      a1: node('a1', 'q1', 'assistant', '384,400 km.'),
      q2: node('q2', 'root', 'user', 'How far is the sun?'),
      a2: node('a2', 'q2', 'assistant', '150 million km.'),
    },
  }
}
const conversations = (...ids: string[]) => JSON.stringify(ids.map(conversation))

onOneDatabase('imports over HTTP', ({ name }) => {
  const api = useApi(name, { RAMIFY_IMPORT_LIMIT_MB: '2' })

  const person = async () => {
    const ada = await api.person()
    const send = (raw: BodyInit, type?: string) =>
      ada.ask(importFile, { raw, ...(type && { headers: { 'content-type': type } }) })
    const upload = (bytes: Uint8Array | string, called = 'conversations.json', field = 'file') => {
      const form = new FormData()
      form.set(field, new File([bytes as Uint8Array<ArrayBuffer>], called))
      return send(form)
    }
    return { ...ada, send, upload }
  }
  const work = async () => (await driveImport(api.services.ports, new AbortController().signal))?.ended
  const rows = async () => ({
    imports: (await api.query('select 1 from imports')).length,
    pieces: (await api.query('select 1 from import_pieces')).length,
  })

  it('given a zip of ChatGPT, when it is sent, then its chats are here and the report counts them', async () => {
    const ada = await person()
    const zip = zipOf([
      { name: 'conversations.json', bytes: conversations('moon', 'stars') },
      { name: 'chat.html', bytes: '<p>' },
    ])
    const started = await ada.upload(zip, 'export.zip')
    expect(started.status).toBe(202)
    await work()
    const id = started.body.import_id
    const { body } = await ada.ask(readFileImport, { id })
    expect(body).toMatchObject({
      status: 'done',
      source: 'chatgpt',
      file: 'export.zip',
      problems: [
        {
          chat: 'export.zip',
          reason: '1 file is not brought, because no message names it: chat.html.',
        },
      ],
      chats: { found: 2, imported: 2, unchanged: 0 },
    })
    expect((await ada.ask(listFileImports)).body.imports).toEqual([body])
    const chats = await api.services.store.listChats({ userId: ada.id })
    const counts = { messageCount: 4, branchCount: 2 }
    expect(chats).toMatchObject([counts, counts])
    expect(await rows()).toMatchObject({ pieces: 0 })
  })

  it('given a zip of all chats that Ramify has exported, when another person sends it, then the same chats are there', async () => {
    const [ada, bob] = [await person(), await person()]
    await ada.upload(conversations('moon', 'stars'))
    await work()
    const zip = (await ada.ask(exportAll)).bytes
    for (const counted of [
      { found: 2, imported: 2, unchanged: 0 },
      { found: 2, imported: 0, unchanged: 2 },
    ]) {
      const started = await bob.upload(zip, 'ramify.zip')
      expect(started.status).toBe(202)
      await work()
      const { body } = await bob.ask(readFileImport, { id: started.body.import_id })
      expect(body).toMatchObject({ status: 'done', source: 'ramify', problems: [], chats: counted })
    }
    const linesOf = async (userId: string) =>
      (await api.services.store.listChats({ userId })).map((chat) =>
        [chat.title, chat.messageCount, chat.branchCount, chat.updatedAt].join(),
      )
    expect((await linesOf(bob.id)).sort()).toEqual((await linesOf(ada.id)).sort())
    expect(await checkDatabase(api.services.database)).toEqual([])
  })

  it('given forms that cannot be read, then they are refused with their status', async () => {
    const ada = await person()
    const before = await rows()
    // what is no export is refused in lib/transfer: hostile-exports.test.ts
    expect(await ada.upload('no JSON at all')).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('is not JSON') },
    })
    expect((await ada.upload(new Uint8Array(3 * 1024 * 1024))).status).toBe(413)
    expect((await ada.upload(conversations('moon'), 'a.json', 'other')).status).toBe(400)
    expect((await ada.send('{}', 'application/json')).status).toBe(415)
    const cut = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n[{"mapping'
    expect((await ada.send(cut, 'multipart/form-data; boundary=b')).status).toBe(400)
    for (const type of brokenForms) expect((await ada.send(cut, type)).status, type.slice(0, 80)).toBe(400)
    expect(await rows()).toEqual(before)
  })

  it('given a file, when its preview is asked for and some of its chats are chosen, then these alone are stored', async () => {
    const ada = await person()
    const form = (fields: Record<string, string>, bytes = conversations('moon', 'stars')) => {
      const data = new FormData()
      for (const [name, value] of Object.entries(fields)) data.set(name, value)
      data.set('file', new File([bytes], 'conversations.json'))
      return data
    }
    const before = await rows()
    const { status, body } = await ada.ask(previewFile, { raw: form({}) })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      source: 'chatgpt',
      rest: false,
      problems: [],
      chats: [{}, { title: 'About stars' }],
    })
    const whole = conversations('moon', 'stars')
    const part = { size: '90000', length: `${whole.length - 40}` }
    const begun = await ada.ask(previewFile, { raw: form(part, whole.slice(0, -40)) })
    expect(begun.body).toMatchObject({
      size: 90_000,
      rest: true,
      problems: [],
      chats: [{ title: 'About moon' }],
    })
    expect(await rows()).toEqual(before)

    const [moon, stars] = body.chats.map(({ id }: { id: string }) => id)
    const wrong: Record<string, string>[] = [
      { only: '' },
      { only: 'no id!' },
      { only: moon, except: stars },
      { except: Array.from({ length: 5001 }, () => 'a').join() },
    ]
    for (const fields of wrong)
      expect(
        (await ada.ask(importFile, { raw: form(fields) })).body,
        JSON.stringify(fields).slice(0, 40),
      ).toMatchObject({
        status: 400,
        code: 'invalid',
      })
    expect((await ada.ask(importFile, { raw: form({ only: 'a'.repeat(90_000) }) })).status).toBe(413)
    expect(await ada.ask(previewFile, { raw: form({ size: '10', length: '100000' }) })).toMatchObject({
      status: 400,
    })
    expect(await ada.ask(previewFile, { raw: form({}, 'no JSON at all') })).toMatchObject({
      body: { status: 400, code: 'unreadable_file' },
    })
    expect((await ada.ask(previewFile, { raw: form({}, 'x'.repeat(3 * 1024 * 1024)) })).status).toBe(413)
    expect(await rows()).toEqual(before)

    const started = await ada.ask(importFile, { raw: form({ only: stars }) })
    await work()
    const report = (await ada.ask(readFileImport, { id: started.body.import_id })).body
    expect(report.chats).toEqual({ found: 2, imported: 1, unchanged: 0, left: 1 })
    expect(report.examples).toMatchObject([{ title: 'About stars' }])
  })

  it('given an import of another person, then it is answered as one that does not exist', async () => {
    const [ada, bob] = [await person(), await person()]
    const id = (await ada.upload(conversations('moon'))).body.import_id
    for (const operation of [readFileImport, cancelFileImport]) {
      const [foreign, missing] = [await bob.ask(operation, { id }), await bob.ask(operation, { id: newId() })]
      expect(foreign).toEqual(missing)
      expect(foreign.status).toBe(404)
    }
    expect((await bob.ask(listFileImports)).body.imports).toEqual([])
    expect((await ada.ask(cancelFileImport, { id })).status).toBe(204)
    expect((await ada.ask(readFileImport, { id })).body.status).toBe('cancelled')
  })
})
