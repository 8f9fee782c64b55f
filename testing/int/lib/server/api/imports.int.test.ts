import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { driveImport } from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { Services } from '@/lib/runtime'
import { handleAuth } from '@/lib/server/api/access'
import { exportAll } from '@/lib/server/api/exports'
import { cancelFileImport, importFile, listFileImports, readFileImport } from '@/lib/server/api/imports'
import { apiDocument } from '@/lib/server/api/openapi'
import type { Operation } from '@/lib/server/api/operation'
import { checkDatabase } from '@/lib/store'
import { DescribedApi } from '@/testing/worlds/described-api'
import { asProcess, Browser } from '@/testing/worlds/identity-world'
import { databaseEnv, onEachDatabase } from '@/testing/worlds/open-stores'
import { zipOf } from '@/testing/worlds/zip-file'

// the framework gives the headers of a request; here its test does
const asked = vi.hoisted(() => ({ headers: new Headers() }))
vi.mock('next/headers', async (original) => ({
  ...(await original<object>()),
  headers: async () => asked.headers,
}))

const described = new DescribedApi(apiDocument)

/** A conversation as ChatGPT exports it, whose question was asked in two ways. */
const conversation = (id: string) => {
  const node = (own: string, parent: string | null, role?: string, text?: string) => ({
    ...{ id: own, parent, children: [] },
    message: role
      ? {
          ...{ id: own, author: { role }, create_time: 1_683_000_000 },
          content: { content_type: 'text', parts: [text] },
        }
      : null,
  })
  return {
    ...{
      id,
      title: `About ${id}`,
      create_time: 1_683_000_000,
      update_time: 1_683_000_900,
      current_node: 'a2',
    },
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

onEachDatabase('imports over HTTP', ({ name }) => {
  let services: Services
  let database: Awaited<ReturnType<typeof databaseEnv>>
  beforeAll(async () => {
    database = await databaseEnv(name)
    services = await asProcess({
      ...{
        ...database.env,
        RAMIFY_RATE_LIMIT: 'off',
        RAMIFY_IMPORT_LIMIT_MB: '2',
        RAMIFY_LOCAL_MODELS: 'off',
      },
      BETTER_AUTH_SECRET: 'a-secret-for-these-tests-and-nothing-else',
    })
    vi.spyOn(console, 'log').mockImplementation(() => undefined)
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await services?.database.close()
    await database?.remove()
  })

  /** A person in a browser. Every answer is checked against the API's description. */
  const person = async () => {
    const browser = new Browser(handleAuth, 'http://localhost:3000')
    const { id: owner } = (await browser.post('sign-in/anonymous')).body.user
    const send = async (operation: Operation, id = '', body?: BodyInit, type?: string) => {
      const path = operation.path.replace('{id}', id)
      const method = operation.method.toUpperCase()
      const request = new Request(`http://localhost:3000${path}`, {
        method,
        headers: { cookie: browser.cookie, ...(type && { 'content-type': type }) },
        ...(body !== undefined && { body }),
      })
      asked.headers = request.headers
      const response = await operation.handle(request, { params: Promise.resolve({ id }) })
      const text = await response.text()
      const answer = text === '' ? undefined : JSON.parse(text)
      const faults = described.faultsOf(method, path, {
        ...{ status: response.status, type: response.headers.get('content-type') ?? '', body: answer },
      })
      expect(faults).toEqual([])
      return { status: response.status, text, body: answer }
    }
    const upload = (bytes: Uint8Array | string, called = 'conversations.json', field = 'file') => {
      const form = new FormData()
      form.set(field, new File([bytes as Uint8Array<ArrayBuffer>], called))
      return send(importFile, '', form)
    }
    return { owner, send, upload, cookie: () => browser.cookie }
  }
  const work = async () => (await driveImport(services.ports, new AbortController().signal))?.ended
  const rows = async () =>
    (
      await services.database.query<object>(
        'select (select count(*)::int from imports) as imports, (select count(*)::int from import_pieces) as pieces',
      )
    )[0]

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
    const { body } = await ada.send(readFileImport, id)
    expect(body).toMatchObject({
      ...{ status: 'done', source: 'chatgpt', file: 'export.zip', problems: [] },
      chats: { found: 2, imported: 2, unchanged: 0 },
    })
    expect((await ada.send(listFileImports)).body.imports).toEqual([body])
    const chats = await services.store.listChats({ userId: ada.owner })
    expect(chats.map(({ messageCount, branchCount }) => [messageCount, branchCount])).toEqual([
      [4, 2],
      [4, 2],
    ])
    expect(await rows()).toMatchObject({ pieces: 0 })
  })

  it('given a zip of all chats that Ramify has exported, when another person sends it, then the same chats are there', async () => {
    const [ada, bob] = [await person(), await person()]
    await ada.upload(conversations('moon', 'stars'))
    await work()
    const request = new Request('http://localhost:3000/api/export', { headers: { cookie: ada.cookie() } })
    asked.headers = request.headers
    const answer = await exportAll.handle(request, { params: Promise.resolve({}) })
    const zip = new Uint8Array(await answer.arrayBuffer())
    for (const counted of [
      { found: 2, imported: 2, unchanged: 0 },
      { found: 2, imported: 0, unchanged: 2 },
    ]) {
      const started = await bob.upload(zip, 'ramify.zip')
      expect(started.status).toBe(202)
      await work()
      const { body } = await bob.send(readFileImport, started.body.import_id)
      expect(body).toMatchObject({ status: 'done', source: 'ramify', problems: [], chats: counted })
    }
    const linesOf = async (userId: string) =>
      (await services.store.listChats({ userId })).map(({ title, messageCount, branchCount, updatedAt }) => [
        ...[title, messageCount, branchCount, updatedAt],
      ])
    expect((await linesOf(bob.owner)).sort()).toEqual((await linesOf(ada.owner)).sort())
    expect(await checkDatabase(services.database)).toEqual([])
  })

  it('given files that are no export, then each is refused in words and nothing is left', async () => {
    const ada = await person()
    const before = await rows()
    const entry = { name: 'conversations.json', bytes: conversations('moon') }
    const zip = zipOf([entry])
    const encrypted = zipOf([{ ...entry, claims: { encrypted: true } }])
    const bomb = zipOf([{ ...entry, bytes: Buffer.alloc(60_000_000, ' ') }])
    const bad: Record<string, Uint8Array | string> = {
      empty: '',
      words: 'no JSON at all',
      'JSON of something else': '{"a": 1}',
      'a truncated zip': zip.subarray(0, zip.length - 40),
      'a zip of spaces': bomb,
      'an encrypted zip': encrypted,
      'a picture': Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0]),
    }
    for (const [what, bytes] of Object.entries(bad)) {
      const { status, body } = await ada.upload(bytes, 'export.zip')
      expect([what, status, body.detail.length > 20]).toEqual([what, 400, true])
    }
    expect(await rows()).toEqual(before)
  })

  it('given forms that cannot be read, then they are refused with their status', async () => {
    const ada = await person()
    const before = await rows()
    expect((await ada.upload(new Uint8Array(3 * 1024 * 1024))).status).toBe(413)
    expect((await ada.upload(conversations('moon'), 'a.json', 'other')).status).toBe(400)
    expect((await ada.send(importFile, '', '{}', 'application/json')).status).toBe(415)
    const cut = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n[{"mapping'
    expect((await ada.send(importFile, '', cut, 'multipart/form-data; boundary=b')).status).toBe(400)
    expect(await rows()).toEqual(before)
  })

  it('given an import of another person, then it is answered as one that does not exist', async () => {
    const [ada, bob] = [await person(), await person()]
    const id = (await ada.upload(conversations('moon'))).body.import_id
    for (const operation of [readFileImport, cancelFileImport]) {
      const [foreign, missing] = [await bob.send(operation, id), await bob.send(operation, newId())]
      expect(foreign).toEqual(missing)
      expect(foreign.status).toBe(404)
    }
    expect((await bob.send(listFileImports)).body.imports).toEqual([])
    expect((await ada.send(cancelFileImport, id)).status).toBe(204)
    expect((await ada.send(readFileImport, id)).body.status).toBe('cancelled')
  })
})
