import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, it, vi } from 'vitest'
import {
  cancelImport,
  driveImport,
  exportChat,
  listImports,
  type Ports,
  readChatFile,
  readChatSummary,
  readImport,
  readUsage,
  restoreChat,
  searchChats,
  startImport,
} from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { ForeignChat } from '@/lib/transfer'
import { foreignChat, foreignMessage, readsJson } from '@/testing/worlds/foreign-export'
import { heldTransaction } from '@/testing/worlds/held-transaction'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import {
  addPerson,
  followLog,
  givenWorld,
  isSound,
  openPage,
  putContext,
  seedChat,
} from '@/testing/worlds/turn-world'
import { zipOf } from '@/testing/worlds/zip-file'

onServedDatabase('importing chats', ({ name }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-imports-'))
  const env = { RAMIFY_LEASE_MS: '400', RAMIFY_QUOTA_CHATS: '60', RAMIFY_LOCAL_MODELS: 'off' }
  const { world, services } = givenWorld(name, env)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const person = () => addPerson(services)
  /** The ports of a process in which some of the work with imports goes otherwise. */
  const portsWith = (
    otherwise: Partial<Ports['imports']>,
    ...reading: Parameters<typeof readsJson>
  ): Ports => {
    const imports = new Proxy(services.imports, {
      get: (target, key) => {
        const own = Reflect.get(target, key)
        return Reflect.get(otherwise, key) ?? (typeof own === 'function' ? own.bind(target) : own)
      },
    })
    return { ...services.ports, imports, importing: readsJson(...reading) }
  }
  const portsReading = () => portsWith({})
  const chatsCalled = (word: string, count: number) =>
    Array.from({ length: count }, (_, n) => foreignChat(`${word}${n}`))
  const upload = async (ownerId: string, chats: ForeignChat[], ports = portsReading()) => {
    const file = path.join(folder, `${newId()}.json`)
    writeFileSync(file, JSON.stringify(chats))
    const started = await startImport(ports, { ownerId, path: file, name: 'export.json' })
    return started?.importId ?? ''
  }
  /** A worker takes one import, and works on it to its end. */
  const work = async (ports = portsReading(), signal = new AbortController().signal) => {
    const taken = await driveImport(ports, signal)
    await taken?.ended
    return taken !== undefined
  }
  const bringIn = async (ownerId: string, chats: ForeignChat[]) => {
    const importId = await upload(ownerId, chats)
    await work()
    return readImport(services.ports, { ownerId, importId })
  }
  /** Has all that waits worked on. */
  const workOff = async (ports = portsReading()) => {
    while (await work(ports));
  }
  const statusesOf = async (ownerId: string) =>
    (await listImports(services.ports, { ownerId })).map(({ status }) => status)
  const events = () => services.database.query('select count(*)::int as events from events')
  const chatsOf = (ownerId: string) => services.store.listChats({ userId: ownerId })

  it('given a file, when it was read, then its chats are here with every branch and their dates, and are found', async () => {
    const ownerId = await person()
    const report = await bringIn(ownerId, [foreignChat('rome'), foreignChat('oslo', { title: null })])
    expect(report).toMatchObject({
      status: 'done',
      source: 'chatgpt',
      problems: [],
      reason: null,
      chats: { found: 2, imported: 2, unchanged: 0 },
      messages: { found: 6, imported: 6, skipped: 0 },
    })
    const chats = await chatsOf(ownerId)
    expect(chats.map(({ title, messageCount, branchCount }) => [title, messageCount, branchCount])).toEqual(
      expect.arrayContaining([
        ['Chat rome', 3, 2],
        ['Words of q-oslo', 3, 2],
      ]),
    )
    expect(new Date(chats[0]?.updatedAt ?? 0).getUTCFullYear()).toBe(2023)
    expect((await searchChats(services.ports, { ownerId, query: 'rome' })).hits).toHaveLength(3)
    expect(report.examples.map(({ chat_id }) => chat_id).sort()).toEqual(chats.map(({ id }) => id).sort())
    // replies of another program are no use here
    await followLog(services)
    expect(await readUsage(services.ports, { ownerId, days: 30 })).toMatchObject({ chats: [] })
    await isSound(services)
  })

  // a job waits after each statement of a person: an import whose reads count as a person's waits for itself
  it('given an import, when it is worked on, then it reads and writes chats as a job', async () => {
    const ownerId = await person()
    await upload(ownerId, chatsCalled('job', 3))
    const asked = vi.spyOn(services.database, 'query')
    await work()
    const ofChats = asked.mock.calls.filter(([text]) => /append_changes|select bytes|from chats/.test(text))
    asked.mockRestore()
    expect(ofChats.length).toBeGreaterThan(2)
    expect([...new Set(ofChats.map(([, , options]) => options?.kind))]).toEqual(['job'])
  })

  it('given chats that were pinned, archived and tagged, then they are so here, and in a file of ours for another server', async () => {
    const [ownerId, other] = [await person(), await person()]
    const tags = ['Trips', 'trips', 'x'.repeat(90)]
    const kept = { isPinned: true, isArchived: true, tags }
    const { examples } = await bringIn(ownerId, [foreignChat('lima', kept), foreignChat('kyiv')])
    const lima = examples.find(({ title }) => title === 'Chat lima')?.chat_id ?? ''
    const marked = { pinnedAt: expect.any(Number), archivedAt: expect.any(Number) }
    const summary = await readChatSummary(services.ports, { ownerId, chatId: lima })
    expect(summary).toMatchObject({ ...marked, tags: ['Trips', 'x'.repeat(40)] })

    let text = ''
    const exported = await exportChat(services.ports, { ownerId, chatId: lima, format: 'json' })
    for await (const piece of exported.content) text += piece
    const file = await readChatFile([Buffer.from(text)])
    expect(file.messages.some(({ imported }) => imported)).toBe(true)
    expect(await restoreChat(services.ports, { ownerId: other, file })).toMatchObject({ outcome: 'restored' })
    expect(await readChatSummary(services.ports, { ownerId: other, chatId: lima })).toMatchObject(marked)
  })

  it('given a file of ours in which tools run without asking, then they ask here, and the report says so once', async () => {
    const [ownerId, { chatId }] = [await person(), await seedChat(services, ['Hello', 'Noted.'])]
    await putContext(services, chatId, { tools: { github__create_issue: 'always', calculator: 'never' } })
    let text = ''
    const { content: pieces } = await exportChat(services.ports, { ownerId: 'ada', chatId, format: 'json' })
    for await (const piece of pieces) text += piece
    const bring = async () => {
      const file = path.join(folder, `${newId()}.json`)
      writeFileSync(file, text)
      const started = await startImport(services.ports, { ownerId, path: file, name: 'chat.json' })
      await work(services.ports)
      return readImport(services.ports, { ownerId, importId: started?.importId ?? '' })
    }
    const { problems, problem_count, chats } = await bring()
    expect([problem_count, chats]).toEqual([1, { found: 1, imported: 1, unchanged: 0, left: 0 }])
    expect(problems).toEqual([
      { chat: 'Untitled', chat_id: chatId, reason: expect.stringContaining('ask you first here') },
    ])
    const key = (await services.ports.reads.chatCalled(chatId, ownerId)) ?? ''
    const { context } = (await services.ports.reads.branchState(key, ownerId)).state ?? {}
    expect(context?.setup?.tools).toEqual({ github__create_issue: 'ask', calculator: 'never' })
    expect(await bring()).toMatchObject({ problems: [], chats: { unchanged: 1 } })
    await isSound(services)
  })

  it('given one JSON file of ours with files in it, then they are here byte for byte', async () => {
    const [ownerId, other] = [await person(), await person()]
    const bytes = Buffer.from('words of a long file\n'.repeat(10_000))
    const stored = await services.files.store(ownerId, { name: 'long.txt', mediaType: 'text/plain', bytes })
    const file = {
      type: 'file' as const,
      mediaType: 'text/plain',
      filename: 'long.txt',
      content: { base64: bytes.toString('base64') },
    }
    const messages = [foreignMessage('q-file', null, { parts: [{ type: 'text', text: 'Read this' }, file] })]
    const { examples } = await bringIn(ownerId, [foreignChat('with-file', { messages })])
    const exported = path.join(folder, 'with-file.json')
    const { content: text } = await exportChat(services.ports, {
      ownerId,
      chatId: examples[0]?.chat_id ?? '',
      format: 'json',
    })
    writeFileSync(exported, '')
    for await (const piece of text) appendFileSync(exported, piece)
    const started = await startImport(services.ports, {
      ownerId: other,
      path: exported,
      name: 'with-file.json',
    })
    await work(services.ports)
    const report = await readImport(services.ports, { ownerId: other, importId: started?.importId ?? '' })
    expect(report).toMatchObject({ status: 'done', chats: { imported: 1 }, problems: [] })
    const [copy] = await services.files.ofContent(other, [stored?.sha256 ?? ''])
    expect(copy && (await services.files.bytes(copy)).equals(bytes)).toBe(true)
    await isSound(services)
  })

  it('given the same file again, then nothing is written; given one that has grown, then what is new', async () => {
    const ownerId = await person()
    const lima = foreignChat('lima')
    await bringIn(ownerId, [lima, foreignChat('kyoto')])
    const before = await events()
    expect(await bringIn(ownerId, [lima, foreignChat('kyoto')])).toMatchObject({
      chats: { found: 2, imported: 0, unchanged: 2 },
      messages: { found: 6, imported: 0 },
    })
    expect(await events()).toEqual(before)
    const more = [foreignMessage('q-more', 'a-lima-again'), foreignMessage('a-more', 'q-more')]
    const grown = foreignChat('lima', { messages: [...lima.messages, ...more] })
    const report = await bringIn(ownerId, [grown, foreignChat('kyoto')])
    expect(report).toMatchObject({ chats: { imported: 1, unchanged: 1 }, messages: { imported: 2 } })
    const [chat] = (await chatsOf(ownerId)).filter(({ title }) => title === 'Chat lima')
    expect([chat?.messageCount, chat?.branchCount]).toEqual([5, 2])
    await isSound(services)
  })

  it('given instructions above the first word, then they are the context of the branch below them', async () => {
    const ownerId = 'ada'
    const messages = [
      foreignMessage('s-1', null, { parts: [{ type: 'text', text: 'You are a pirate.' }], isHidden: true }),
      foreignMessage('q-1', 's-1'),
      foreignMessage('a-1', 'q-1'),
    ]
    const { examples, messages: counts } = await bringIn(ownerId, [foreignChat('sea', { messages })])
    const chatId = examples[0]?.chat_id ?? ''
    expect(counts).toEqual({ found: 3, imported: 3, skipped: 0 })
    const { context } = (await services.ports.reads.branchState(chatId, ownerId)).state ?? {}
    expect(context?.fragments).toMatchObject([{ $fragment: { name: 'role', data: 'You are a pirate.' } }])
    const page = await openPage(services, chatId)
    expect(page.window.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('given a chat that cannot be stored, then the others are here and the report says why', async () => {
    const ownerId = await person()
    let deep: unknown = 'bottom'
    for (let n = 0; n < 80; n++) deep = [deep]
    const tool = {
      type: 'dynamic-tool',
      toolName: 'dig',
      toolCallId: 'c1',
      state: 'output-available',
      input: {},
      output: deep,
    } as ForeignChat['messages'][number]['parts'][number]
    const bad = foreignChat('deep', { messages: [foreignMessage('a-deep', null, { parts: [tool] })] })
    const report = await bringIn(ownerId, [foreignChat('one'), bad, foreignChat('two')])
    expect(report.chats).toEqual({ found: 3, imported: 2, unchanged: 0, left: 0 })
    const reason = expect.stringContaining('nested deeper than 64')
    expect(report.problems).toEqual([{ chat: 'Chat deep', reason }])
  })

  it('given that it is cancelled on its way, then what is here stays, and no more comes', async () => {
    const ownerId = await person()
    const importId = await upload(ownerId, chatsCalled('c', 30))
    const cancel = () => cancelImport(services.ports, { ownerId, importId })
    // three of these chats are written together
    await work(portsWith({ batch: 9 }, async (place) => void (place === 12 && (await cancel()))))
    const report = await readImport(services.ports, { ownerId, importId })
    expect(report.status).toBe('cancelled')
    expect((await chatsOf(ownerId)).length).toBe(report.chats.imported)
    expect(report.chats.imported).toBeLessThan(30)
    const pieces = 'select 1 from import_pieces where import_id = $1'
    expect(await services.database.query(pieces, [importId])).toEqual([])
  })

  it('given a process that dies on its way, then another one goes on, and nothing is there twice', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const ownerId = await person()
    const long = Array.from({ length: 450 }, (_, n) =>
      foreignMessage(`${n % 2 ? 'a' : 'q'}${n}`, n === 0 ? null : `${n % 2 ? 'q' : 'a'}${n - 1}`),
    )
    const chats = [...chatsCalled('d', 10), foreignChat('long', { messages: long }), foreignChat('last')]
    const importId = await upload(ownerId, chats)
    // it dies between the two changes of the long conversation
    const { advance } = services.imports
    let written = 0
    await work(
      portsWith({
        renew: async () => written < 2,
        advance: async (...given) => {
          written += given[2].length === 1 ? 1 : 0
          if (written > 1) throw new Error('killed')
          return advance.apply(services.imports, given)
        },
      }),
    )
    const left = await readImport(services.ports, { ownerId, importId })
    expect(left).toMatchObject({ status: 'running', chats: { imported: 10 }, messages: { imported: 280 } })

    const other = await world.process(env)
    const ports = { ...other.ports, importing: readsJson() }
    // it is free once its lease is over
    await expect.poll(() => work(ports)).toBe(true)
    const report = await readImport(services.ports, { ownerId, importId })
    expect(report).toMatchObject({ status: 'done', chats: { found: 12, imported: 12, unchanged: 0 } })
    expect(report.messages).toMatchObject({ found: 483, imported: 483 })
    const stored = await chatsOf(ownerId)
    const messages = stored.reduce((sum, { messageCount }) => sum + messageCount, 0)
    expect([stored.length, messages]).toEqual([12, 483])
    await isSound(services)
    vi.restoreAllMocks()
  })

  it('given a file that ends its process twice without a word, when it would be tried a third time, then it has failed, the words say what to do, and the next file comes in', async () => {
    const ownerId = await person()
    const importId = await upload(ownerId, [foreignChat('deadly')])
    const claimedBy = async (leaseMs: number) => (await services.imports.claim(leaseMs))?.id
    for (let killed = 0; killed < 2; killed++) await expect.poll(() => claimedBy(1)).toBe(importId)
    await expect
      .poll(async () => [await claimedBy(1), await statusesOf(ownerId)])
      .toEqual([undefined, ['failed']])
    const { reason } = await readImport(services.ports, { ownerId, importId })
    expect(reason).toMatch(/^The server stopped 2 times while it read this file.* Import the file in parts/)
    expect(await bringIn(ownerId, [foreignChat('harmless')])).toMatchObject({ status: 'done' })
  })

  it.each([
    ['levels', `${'['.repeat(99_000)}${']'.repeat(99_000)}`, 'nested deeper than 64 levels'],
    ['lists', `[${'[],'.repeat(300_000)}1]`, 'more than 500,000 values'],
    ['numbers', `[${'1,'.repeat(600_000)}1]`, 'more than 500,000 values'],
  ])(
    'given a file of ours with too many %s, alone or in a zip, then nothing of it is stored, the report names the limit, and the next file comes in',
    async (_, value, limit) => {
      const ownerId = await person()
      const text = `{"format":"ramify.chat","version":1,"chat":{"a":${value}}}`
      const zip = zipOf([
        { name: 'manifest.json', bytes: '{"format":"ramify.export","version":1}' },
        { name: 'chats/one.json', bytes: text, isStored: true },
      ])
      for (const [name, bytes] of [
        ['chat.json', text],
        ['all.zip', zip],
      ] as const) {
        const file = path.join(folder, name)
        writeFileSync(file, bytes)
        const started = await startImport(services.ports, { ownerId, path: file, name })
        await work(services.ports)
        const report = await readImport(services.ports, { ownerId, importId: started?.importId ?? '' })
        expect(report).toMatchObject({ status: 'done', source: 'ramify', chats: { found: 1, imported: 0 } })
        expect(report.problems).toEqual([
          { chat: expect.any(String), reason: expect.stringContaining(limit) },
        ])
      }
      expect(await chatsOf(ownerId)).toEqual([])
      expect(await bringIn(ownerId, [foreignChat('harmless')])).toMatchObject({ chats: { imported: 1 } })
    },
  )

  it('given a file of ours of 1,200 long messages, then it comes back byte for byte, and its process dying on the way leaves no half', async () => {
    const [ownerId, other] = [await person(), await person()]
    const words = 'words of a long text '.repeat(250)
    const line = Array.from({ length: 1200 }, (_, n) =>
      foreignMessage(`q${n}`, n === 0 ? null : `q${n - 1}`, {
        parts: [{ type: 'text', text: `${n} ${words}` }],
      }),
    )
    const { examples } = await bringIn(ownerId, [foreignChat('book', { messages: line })])
    const textOf = async (id: string, chatId: string) => {
      let text = ''
      const { content: pieces } = await exportChat(services.ports, { ownerId: id, chatId, format: 'json' })
      for await (const piece of pieces) text += piece
      return text
    }
    const chatId = examples[0]?.chat_id ?? ''
    const text = await textOf(ownerId, chatId)
    let written = 0
    const dying = new Proxy(services.store, {
      get: (target, key) => {
        const own = Reflect.get(target, key)
        if (typeof own !== 'function') return own
        return (...given: unknown[]) => {
          if (String(key).startsWith('commit') && written++ === 2) throw new Error('killed')
          return own.apply(target, given)
        }
      },
    })
    const file = await readChatFile([Buffer.from(text)])
    const half = restoreChat({ ...services.ports, store: dying }, { ownerId: other, file })
    await expect(half).rejects.toThrow('killed')
    const again = () => restoreChat(services.ports, { ownerId: other, file })
    expect(await again()).toMatchObject({ chatId, outcome: 'continued' })
    expect(await again()).toMatchObject({ chatId, outcome: 'unchanged', messages: { found: 1200, added: 0 } })
    expect(await textOf(other, (await services.ports.reads.chatCalled(chatId, other)) ?? '')).toBe(text)
    await isSound(services)
  })

  it('given long chats, then each is stored before the next is read: only one of them is in memory', async () => {
    const ownerId = await person()
    const stored: number[] = []
    const before = async () => {
      stored.push((await chatsOf(ownerId)).length)
    }
    const megabytes = 20 * 1024 * 1024
    await upload(ownerId, chatsCalled('long-', 3))
    await work(portsWith({}, before, megabytes))
    expect(stored).toEqual([0, 1, 2])
    expect(await chatsOf(ownerId)).toHaveLength(3)
  })

  it('given more chats than a person may have, then it ends with the limit, and goes on once there is room', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const ownerId = await person()
    const chats = Array.from({ length: 64 }, (_, n) =>
      foreignChat(`e${n}`, { messages: [foreignMessage(`q${n}`, null)] }),
    )
    const report = await bringIn(ownerId, chats)
    expect(report).toMatchObject({ status: 'failed', chats: { imported: 60 } })
    expect(report.reason).toContain('60 of 60 chats')
    expect(await chatsOf(ownerId)).toHaveLength(60)
    vi.restoreAllMocks()
  })

  it('given ten persons and one with many files, then each has one worked on at a time, and all are done', async () => {
    const owners = await Promise.all(Array.from({ length: 11 }, person))
    await Promise.all(owners.map((ownerId) => upload(ownerId, [foreignChat('same')])))
    const [busy = ''] = owners
    for (let n = 0; n < 4; n++) await upload(busy, [foreignChat(`more ${n}`)])
    await expect(upload(busy, [foreignChat('too many')])).rejects.toThrow('Several of your imports')
    let [mine, most] = [0, 0]
    const { claim, end } = services.imports
    const ports = portsWith({
      claim: async () => {
        const held = await claim.call(services.imports, 60_000)
        if (held?.ownerId === busy) most = Math.max(most, ++mine)
        return held
      },
      end: async (...given) => {
        if (given[0].ownerId === busy) mine -= 1
        return end.apply(services.imports, given)
      },
    })
    await Promise.all([workOff(ports), workOff(ports), workOff(ports)])
    await workOff(ports)
    expect(most).toBe(1)
    const statuses = (await Promise.all(owners.map(statusesOf))).flat()
    expect(statuses).toEqual(Array.from({ length: 15 }, () => 'done'))
  })

  it('given several imports of one person, when many processes claim at once, then one of them is held', async () => {
    const ownerId = await person()
    for (let n = 0; n < 4; n++) await upload(ownerId, [foreignChat(`at once ${n}`)])
    for (let round = 0; round < (process.env.RAMIFY_TEST_LONG ? 200 : 30); round++) {
      const claims = await Promise.all(Array.from({ length: 6 }, () => services.imports.claim(60_000)))
      const held = claims.filter((claim) => claim !== undefined)
      expect(held.length).toBeLessThanOrEqual(1)
      for (const claim of held) await services.imports.release(claim)
    }
    await workOff()
    expect(await statusesOf(ownerId)).toEqual(['done', 'done', 'done', 'done'])
  })

  it('given a bound on the imports of one person, when many begin at once, then no more than that have begun', async () => {
    const ownerId = await person()
    const bounds = { perPerson: 3, inAll: 1000 }
    for (let round = 0; round < 10; round++) {
      const ids = Array.from({ length: 8 }, () => newId())
      const files = ids.map((id) => ({ id, name: 'export.json', size: 2, source: 'chatgpt' }))
      const refusals = await Promise.all(files.map((file) => services.imports.begin(ownerId, file, bounds)))
      const begun = ids.filter((_, at) => refusals[at] === undefined)
      expect([begun.length, refusals.filter((refusal) => refusal === 'person').length]).toEqual([3, 5])
      for (const id of begun) await services.imports.abandon(id)
    }
  })

  it.skipIf(name === 'pglite')(
    'given a process that is too busy to renew its lease, when the lease is over and another claims, then the import stays with it, and ends once',
    async () => {
      const ownerId = await person()
      const importId = await upload(ownerId, chatsCalled('busy', 3))
      const other = (await world.process(env)).imports
      const isOver = 'select fence from imports where id = $1 and lease_until < clock_timestamp()'
      const claims: unknown[] = []
      const whileBusy = async (place: number) => {
        if (place !== 1) return
        await expect.poll(() => services.database.query(isOver, [importId])).toEqual([{ fence: 1 }])
        for (let n = 0; n < 5; n++) claims.push(await other.claim(60_000))
      }
      await work(portsWith({ renew: async () => true }, whileBusy))
      expect(claims).toEqual([undefined, undefined, undefined, undefined, undefined])
      const report = await readImport(services.ports, { ownerId, importId })
      expect(report).toMatchObject({ status: 'done', chats: { found: 3, imported: 3 } })
    },
  )

  it('given a process that is there and does nothing for ten leases, then another goes on with its import', async () => {
    const ownerId = await person()
    const importId = await upload(ownerId, [foreignChat('frozen')])
    const frozen = await services.imports.claim(1)
    const leave = frozen && (await services.imports.attend(frozen))
    let other: Awaited<ReturnType<typeof services.imports.claim>>
    await expect
      .poll(async () => {
        other ??= await services.imports.claim(100)
        return other?.id
      })
      .toBe(importId)
    await leave?.()
    if (other) await services.imports.release(other)
    await expect.poll(() => work()).toBe(true)
    expect(await statusesOf(ownerId)).toEqual(['done'])
  })

  // of the embedded database one statement runs at a time: nothing is locked while another claims
  it.skipIf(name === 'pglite')(
    'given an import whose lease ran out while its process writes, when another claims, then a second one of the person waits',
    async () => {
      const ownerId = await person()
      for (const at of ['first', 'second']) await upload(ownerId, [foreignChat(`${at} of two`)])
      const first = await services.imports.claim(1)
      const commit = await heldTransaction(services.database, (tx) =>
        tx.execute(sql`select 1 from imports where id = ${first?.id} for update`),
      )
      const over = 'select 1 from imports where id = $1 and lease_until < clock_timestamp()'
      await expect.poll(() => services.database.query(over, [first?.id])).toHaveLength(1)
      expect(await services.imports.claim(60_000)).toBeUndefined()
      await commit()
      const again = await services.imports.claim(60_000)
      expect(again?.id).toBe(first?.id)
      if (again) await services.imports.release(again)
      await workOff()
      expect(await statusesOf(ownerId)).toEqual(['done', 'done'])
    },
  )
})
