import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { driveImport, exportChat, previewImport, readImport, startImport } from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { ImportChoice } from '@/lib/protocol'
import { fixture } from '@/testing/worlds/exported-files'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import { addPerson, givenWorld } from '@/testing/worlds/turn-world'
import { zipOf } from '@/testing/worlds/zip-file'

const said = (title: string, ...words: string[]) => ({
  title,
  id: `id of ${title}`,
  messages: words.map((content, at) => ({ role: at % 2 ? 'assistant' : 'user', content })),
})
const three = [said('Rome', 'Where?', 'There.'), said('Oslo', 'When?', 'Then.'), said('Lima', 'Who?', 'She.')]

onServedDatabase('previews of imports', ({ name }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-previews-'))
  const { services } = givenWorld(name, { RAMIFY_LOCAL_MODELS: 'off' })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const fileOf = (bytes: Buffer | string) => {
    const file = path.join(folder, newId())
    writeFileSync(file, bytes)
    return file
  }
  const preview = (ownerId: string, bytes: Buffer | string, called = 'chats.json') =>
    previewImport(services.ports, { ownerId, path: fileOf(bytes), name: called })
  const bring = async (
    ownerId: string,
    bytes: Buffer | string,
    choice?: ImportChoice,
    called = 'chats.json',
  ) => {
    const started = await startImport(services.ports, {
      ownerId,
      path: fileOf(bytes),
      name: called,
      ...(choice && { choice }),
    })
    await (await driveImport(services.ports, new AbortController().signal))?.ended
    return readImport(services.ports, { ownerId, importId: started?.importId ?? '' })
  }
  const titlesOf = async (ownerId: string) =>
    (await services.store.listChats({ userId: ownerId })).map(({ title }) => title).sort()
  const rows = () =>
    services.database.query(`select (select count(*)::int from imports) as imports, (select count(*)::int from chats) as chats,
      (select count(*)::int from events) as events, (select count(*)::int from import_pieces) as pieces,
      (select count(*)::int from files) as files`)

  it.each([
    'chatgpt.json',
    'claude.json',
    'open-webui.json',
    'librechat-recursive.json',
    'llama-cpp.jsonl',
    'langgraph.json',
  ])(
    'given %s, when it is previewed, then its chats have the messages and branches that the import makes, and nothing is stored',
    async (sample) => {
      const ownerId = await addPerson(services)
      const before = await rows()
      const seen = await preview(ownerId, fixture(sample), sample)
      expect(await rows()).toEqual(before)
      expect(seen).toMatchObject({ file: sample, size: fixture(sample).length, rest: false })
      const report = await bring(ownerId, fixture(sample), undefined, sample)
      // the bytes of files are looked at when they are stored
      const told = report.problems.filter(({ reason }) => !reason.startsWith('The file “'))
      expect(seen.problems).toEqual(told.map(({ chat, reason }) => ({ chat, reason })))
      const facts = (titled: { title?: string | null | undefined; branches: number }) => [
        titled.title,
        titled.branches,
      ]
      const chats = await services.store.listChats({ userId: ownerId })
      expect(seen.chats.map(facts).sort()).toEqual(
        chats.map(({ title, branchCount }) => facts({ title, branches: branchCount })).sort(),
      )
      expect(seen.chats.reduce((sum, { messages }) => sum + messages, 0)).toBe(report.messages.imported)
      // and once they are here, the preview says so
      const again = await preview(ownerId, fixture(sample), sample)
      expect(new Set(again.chats.map(({ standing }) => standing))).toEqual(new Set(['here']))
    },
  )

  it('given a choice of some chats, then these alone are stored, and the report counts the others', async () => {
    const ownerId = await addPerson(services)
    const file = JSON.stringify(three)
    const { chats } = await preview(ownerId, file)
    const [rome = '', oslo = ''] = chats.map(({ id }) => id)
    const report = await bring(ownerId, file, { only: [oslo] })
    expect(report).toMatchObject({ status: 'done', chats: { found: 3, imported: 1, unchanged: 0, left: 2 } })
    expect(await titlesOf(ownerId)).toEqual(['Oslo'])
    expect((await preview(ownerId, file)).chats.map(({ standing }) => standing)).toEqual([
      'new',
      'here',
      'new',
    ])
    // all but one, which comes later
    expect(await bring(ownerId, file, { except: [rome] })).toMatchObject({
      chats: { imported: 1, unchanged: 1, left: 1 },
    })
    const grown = JSON.stringify([three[0], said('Oslo', 'When?', 'Then.', 'And now?'), three[2]])
    expect((await preview(ownerId, grown)).chats.map(({ standing }) => standing)).toEqual([
      ...['new', 'changed', 'here'],
    ])
  })

  it('given a choice, when the process stops in the middle, then the next one goes on with the same choice', async () => {
    const ownerId = await addPerson(services)
    const many = Array.from({ length: 130 }, (_, at) => said(`Chat ${at}`, `Words ${at}`, 'Yes.'))
    const file = JSON.stringify(many)
    const { chats } = await preview(ownerId, file)
    const except = chats.filter((_, at) => at % 2 === 0).map(({ id }) => id)
    const started = await startImport(services.ports, {
      ownerId,
      path: fileOf(file),
      name: 'chats.json',
      choice: { except },
    })
    const stop = new AbortController()
    const { importing } = services.ports
    let seen = 0
    const stopping = {
      ...importing,
      open: async (...asked: Parameters<typeof importing.open>) => {
        const opened = await importing.open(...asked)
        return {
          ...opened,
          async *items(from?: number) {
            for await (const item of opened.items(from)) {
              seen += 1
              if (seen === 120) stop.abort()
              yield item
            }
          },
        }
      },
    }
    await (await driveImport({ ...services.ports, importing: stopping }, stop.signal))?.ended
    const importId = started?.importId ?? ''
    expect(await readImport(services.ports, { ownerId, importId })).toMatchObject({ status: 'running' })
    await (await driveImport(services.ports, new AbortController().signal))?.ended
    expect(await readImport(services.ports, { ownerId, importId })).toMatchObject({
      status: 'done',
      chats: { found: 130, imported: 65, left: 65 },
    })
    expect(await titlesOf(ownerId)).toHaveLength(65)
  })

  it('given chats that Ramify has exported, then they are previewed, chosen and known again', async () => {
    const [ownerId, other] = [await addPerson(services), await addPerson(services)]
    await bring(ownerId, JSON.stringify(three))
    const exported = await Promise.all(
      (await services.store.listChats({ userId: ownerId })).map(async ({ id: chatId }, at) => {
        let text = ''
        const file = await exportChat(services.ports, { ownerId, chatId, format: 'json' })
        for await (const piece of file.content) text += piece
        return { name: `chats/${at}.json`, bytes: text }
      }),
    )
    const zip = zipOf([{ name: 'manifest.json', bytes: '{}' }, ...exported])
    const seen = await preview(other, zip, 'ramify.zip')
    expect(seen).toMatchObject({ source: 'ramify', problems: [], rest: false })
    expect(
      seen.chats
        .map(({ title, messages, branches, standing }) => [title, messages, branches, standing].join())
        .sort(),
    ).toEqual(['Lima', 'Oslo', 'Rome'].map((title) => `${title},2,1,new`))
    const [lima] = seen.chats.filter(({ title }) => title === 'Lima')
    const report = await bring(other, zip, { only: [lima?.id ?? ''] }, 'ramify.zip')
    expect(report.chats).toEqual({ found: 3, imported: 1, unchanged: 0, left: 2 })
    const standings = (await preview(other, zip, 'ramify.zip')).chats.map(
      ({ title, standing }) => `${title} ${standing}`,
    )
    expect(standings.sort()).toEqual(['Lima here', 'Oslo new', 'Rome new'])
  })

  it('given more chats than are looked at, then the first are listed, and the rest is told', async () => {
    const ownerId = await addPerson(services)
    const many = Array.from({ length: 5200 }, (_, at) => said(`Chat ${at}`, 'Hi'))
    const seen = await preview(ownerId, JSON.stringify(many))
    expect([seen.chats.length, seen.rest]).toEqual([5000, true])
  })

  it('given a part that does not fit its file, or a file that is none, then it is refused in words', async () => {
    const ownerId = await addPerson(services)
    const file = JSON.stringify(three)
    for (const part of [
      { size: file.length - 1, from: 0, length: 10 },
      { size: 10_000, from: 9_999, length: 10 },
      { size: 10_000, from: 0, length: file.length + 1 },
    ]) {
      const asked = { ownerId, path: fileOf(file), name: 'chats.json', part }
      await expect(previewImport(services.ports, asked)).rejects.toMatchObject({
        name: 'InvalidRequestError',
      })
    }
    await expect(preview(ownerId, '')).rejects.toMatchObject({ code: 'empty_file' })
    await expect(preview(ownerId, 'words')).rejects.toMatchObject({ code: 'unreadable_file' })
    await expect(
      preview(ownerId, zipOf([{ name: 'a.json', bytes: file }]).subarray(0, 200), 'a.zip'),
    ).rejects.toMatchObject({
      code: 'unreadable_file',
    })
  })
})
