import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runTurn } from '@/lib/conversations'
import { readWhole, schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { fileUrl } from '@/lib/protocol'
import type { Services } from '@/lib/runtime'
import { checkDatabase, findingLine } from '@/lib/store'
import {
  contentAt,
  contentOf,
  emptyPlace,
  followAll,
  restoreFrom,
  servicesAt,
  writeHistories,
  writeTo,
} from '@/testing/worlds/backup-world'
import { type DatabaseKind, onEachDatabase, postgresServer } from '@/testing/worlds/open-stores'
import { pngImage } from '@/testing/worlds/sample-files'
import { ask, linesOf, openPage, openTurnWorld, type TurnWorld } from '@/testing/worlds/turn-world'

const targets: readonly DatabaseKind[] = postgresServer() ? ['pglite', 'postgres'] : ['pglite']
const seed = Number(process.env.RAMIFY_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

onEachDatabase('a backup', ({ name }) => {
  let world: TurnWorld
  let source: Services
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-backup-'))
  const chatId = newId()

  beforeAll(async () => {
    // given chats, a file, a preset, a key, sessions, and a log that the followers have taken in up to a point
    world = await openTurnWorld(name)
    source = await world.process()
    const { orm } = source.database
    await orm
      .insert(schema.user)
      .values({ id: 'guest', name: 'Guest', email: 'g@x.invalid', isAnonymous: true })
    for (const userId of ['ada', 'guest']) {
      const session = { id: `s-${userId}`, token: `t-${userId}`, userId, expiresAt: new Date(2100, 1) }
      await orm.insert(schema.session).values(session)
    }
    await orm.insert(schema.attempts).values({ key: 'sign-in', count: 3, until: new Date(2100, 1) })
    const content = { fragments: [], setup: null } as never
    await source.contextPresets.create('ada', { id: 'preset', name: 'Tab\tand\nline \\N', content })
    await source.apiKeys.create('ada', { id: 'key', name: 'script' })
    const file = await source.files.store('ada', { name: 'a.png', bytes: pngImage(), mediaType: 'image/png' })
    if (!file) throw new Error('The owner is missing')
    await writeHistories(source.store, 'ada', { seed, chats: 6 })
    const part = { type: 'file', filename: 'a.png', mediaType: 'image/png', url: fileUrl(file.id) }
    const asked = ask({ chatId, text: 'before' })
    const message = { ...asked.message, parts: [part, { type: 'text', text: 'before \u2028 ü' }] }
    await (await runTurn(source.ports, { ...asked, message } as never)).ended
    await followAll(source)
    await writeHistories(source.store, 'ada', { seed: seed + 1, chats: 2 })
  })
  afterAll(async () => {
    await world?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Writes the source to a file and returns what it held then, table by table. */
  async function backUp(file: string): Promise<Record<string, string>> {
    if (world.url) {
      await readWhole({ url: world.url }, writeTo(file))
      return readWhole({ url: world.url }, contentOf)
    }
    const copy = path.join(folder, newId())
    await source.database.copyTo?.(copy)
    await readWhole({ folder: copy }, writeTo(file))
    return readWhole({ folder: copy }, contentOf)
  }

  describe.each(targets)('restored into an empty database (%s)', (kind) => {
    it(`holds the same, reads the same, and goes on (seed ${seed})`, async () => {
      // when
      const file = path.join(folder, `to-${kind}.backup`)
      const content = await backUp(file)
      const place = await emptyPlace(kind)
      await restoreFrom(file, place)

      // then only its owner can read the file, and each table holds what it held
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(await contentAt(place)).toEqual(content)

      // and nothing is broken, and a chat reads the same
      const restored = await servicesAt(place.options)
      expect((await checkDatabase(restored.database)).map(findingLine)).toEqual([])
      expect(await openPage(restored, chatId)).toEqual(await openPage(source, chatId))
      const left = await restored.database.query<{ id: string }>('select id from session')
      expect(left).toEqual([{ id: 's-guest' }])
      expect(await restored.database.query('select key from attempts')).toEqual([])

      // and what is written now comes after what was restored
      await (await runTurn(restored.ports, ask({ chatId, text: 'after', model: 'demo:demo' }))).ended
      await followAll(restored)
      expect((await linesOf(restored, chatId)).slice(-2)[0]).toBe('user: after')
      const behind = await restored.database.query(
        'select f.name from followers f where exists (select 1 from events e where (e.txid, e.chat_id, e.seq) > (f.txid, f.at_chat, f.at_seq))',
      )
      expect(behind).toEqual([])
      expect((await checkDatabase(restored.database)).map(findingLine)).toEqual([])
      await restored.database.close()
      await place.remove()
    })
  })

  it('given writers that go on, when it is written, then it holds one moment of all chats', async () => {
    // given two persons' worth of writes, one after the other in three chats
    const chats = [newId(), newId(), newId()]
    for (const id of chats) await source.store.upsertChat({ id, userId: 'ada', title: '0' })
    let going = true
    let written = 0
    const writer = (async () => {
      for (; going; written += 1) {
        await source.store.updateChat(chats[written % 3] ?? '', { title: String(written + 1) })
        // an embedded database answers without a pause, and files would never be read
        await nextTurn()
      }
    })()

    // each chat has been written to
    while (written < 3) await nextTurn()

    // when
    const file = path.join(folder, 'busy.backup')
    const begun = written
    const write = world.url ? readWhole({ url: world.url }, writeTo(file)) : backUp(file)
    await write.finally(() => {
      going = false
    })
    const during = written - begun
    await writer

    // then the titles are those of three writes in a row, and the writers did not wait for the end
    const place = await emptyPlace('pglite')
    await restoreFrom(file, place)
    const restored = await servicesAt(place.options)
    const titles = await restored.database.query<{ title: string }>(
      `select title from chats where id in ('${chats.join("', '")}') order by title::int`,
    )
    const [first = -1] = titles.map(({ title }) => Number(title))
    expect(titles.map(({ title }) => Number(title))).toEqual([first, first + 1, first + 2])
    expect(first).toBeGreaterThanOrEqual(Math.max(0, begun - 3))
    expect(during).toBeGreaterThan(3)
    expect((await checkDatabase(restored.database)).map(findingLine)).toEqual([])
    await restored.database.close()
    await place.remove()
  })

  it('given a file of that name, when it is written, then the file stays and nothing else is left', async () => {
    const file = path.join(folder, 'there.backup')
    writeFileSync(file, 'mine')
    await expect(backUp(file)).rejects.toThrow(/is there already/)
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect(readdirSync(folder).filter((entry) => entry.endsWith('.part'))).toEqual([])
  })
})
