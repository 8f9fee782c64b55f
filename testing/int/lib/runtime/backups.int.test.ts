import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runTurn } from '@/lib/conversations'
import { readWhole, schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { fileUrl } from '@/lib/protocol'
import type { Services } from '@/lib/runtime'
import { checkDatabase, findingLine } from '@/lib/store'
import {
  contentOf,
  emptyPlace,
  followAll,
  type Place,
  restoreFrom,
  servicesAt,
  writeHistories,
  writeTo,
} from '@/testing/worlds/backup-world'
import { onEachDatabase, postgresServer } from '@/testing/worlds/open-stores'
import { pngImage } from '@/testing/worlds/sample-files'
import { ask, linesOf, openPage, openTurnWorld, type TurnWorld } from '@/testing/worlds/turn-world'

const seed = Number(process.env.RAMIFY_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

onEachDatabase('a backup that is made while three chats are written to in turn', ({ name }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-backup-'))
  const file = path.join(folder, 'whole.backup')
  const chatId = newId()
  const busy = [newId(), newId(), newId()]
  let world: TurnWorld
  let source: Services
  /** where it can be read again */
  let from: Parameters<typeof readWhole>[0]
  /** what the source held at that moment, and the place that the file was restored to */
  let held: Record<string, string>
  let holds: Record<string, string>
  let place: Place
  let restored: Services
  /** writes to the three chats before the backup, and meanwhile */
  const written = { before: 0, meanwhile: 0 }

  beforeAll(async () => {
    // given chats, a file, a preset, a key, sessions, and a log that the followers have taken in up to a point
    world = await openTurnWorld(name)
    source = await world.process()
    const { orm } = source.database
    const guest = { id: 'guest', name: 'Guest', email: 'g@x.invalid', isAnonymous: true }
    await orm.insert(schema.user).values(guest)
    for (const userId of ['ada', 'guest']) {
      const session = { id: `s-${userId}`, token: `t-${userId}`, userId, expiresAt: new Date(2100, 1) }
      await orm.insert(schema.session).values(session)
    }
    await orm.insert(schema.attempts).values({ key: 'sign-in', count: 3, until: new Date(2100, 1) })
    const content = { fragments: [], setup: null } as never
    await source.contextPresets.create('ada', { id: 'preset', name: 'Tab\tand\nline \\N', content })
    await source.apiKeys.create('ada', { id: 'key', name: 'script' })
    const picture = { name: 'a.png', bytes: pngImage(), mediaType: 'image/png' }
    const image = await source.files.store('ada', picture)
    if (!image) throw new Error('The owner is missing')
    await writeHistories(source.store, 'ada', { seed, chats: 2 })
    const part = { type: 'file', filename: 'a.png', mediaType: 'image/png', url: fileUrl(image.id) }
    const asked = ask({ chatId, text: 'before' })
    const message = { ...asked.message, parts: [part, { type: 'text', text: 'before \u2028 ü' }] }
    await (await runTurn(source.ports, { ...asked, message } as never)).ended
    await followAll(source)
    await writeHistories(source.store, 'ada', { seed: seed + 1, chats: 1 })
    for (const id of busy) await source.store.upsertChat({ id, userId: 'ada', title: '0' })

    // when it is written meanwhile, and restored into an empty database of the other kind
    held = await backUp()
    place = await emptyPlace(name === 'pglite' && postgresServer() ? 'postgres' : 'pglite')
    holds = await restoreFrom(file, place)
    restored = await servicesAt(place.options)
  }, 120_000)
  afterAll(async () => {
    await restored?.database.close()
    await place?.remove()
    await world?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Writes the source to the file, while people write, and returns what it held at that moment, table by table. */
  async function backUp(): Promise<Record<string, string>> {
    const readAndWrite = () =>
      readWhole(from, async (database) => {
        await writeTo(file)(database)
        return contentOf(database)
      })
    if (world.url) {
      from = { url: world.url }
      return whileWriting(readAndWrite)
    }
    const copy = path.join(folder, 'copy')
    await whileWriting(async () => source.database.copyTo?.(copy))
    from = { folder: copy }
    return readAndWrite()
  }

  /** Each write gives one of the three chats the next number as its title. */
  async function whileWriting<Result>(work: () => Promise<Result>): Promise<Result> {
    let [going, count] = [true, 0]
    const writer = (async () => {
      for (; going; count += 1) {
        await source.store.updateChat(busy[count % 3] ?? '', { title: String(count + 1) })
        // an embedded database answers without a pause, and files would never be read
        await nextTurn()
      }
    })()
    while (count < 3) await nextTurn()
    written.before = count
    const result = await work().finally(() => {
      going = false
    })
    await writer
    written.meanwhile = count - written.before
    return result
  }

  it(`holds the same, reads the same, and goes on (seed ${seed})`, async () => {
    // then only its owner can read the file, and each table holds what it held
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(holds).toEqual(held)

    // and nothing is broken, and a chat reads the same
    expect((await checkDatabase(restored.database)).map(findingLine)).toEqual([])
    expect(await openPage(restored, chatId)).toEqual(await openPage(source, chatId))
    expect(await restored.database.query('select id from session')).toEqual([{ id: 's-guest' }])
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
  })

  it('holds one moment of all chats: three writes in a row, and the writers did not wait for its end', async () => {
    const rows = await restored.database.query<{ title: number }>(
      `select title::int as title from chats where id in ('${busy.join("', '")}') order by 1`,
    )
    const titles = rows.map(({ title }) => title)
    const [first = -1] = titles
    expect(titles).toEqual([first, first + 1, first + 2])
    expect(first).toBeGreaterThanOrEqual(Math.max(0, written.before - 3))
    expect(written.meanwhile).toBeGreaterThan(3)
  })

  it('given a file of that name, when another is written, then the file stays and nothing else is left', async () => {
    const before = readFileSync(file)
    await expect(readWhole(from, writeTo(file))).rejects.toThrow(/is there already/)
    expect(readFileSync(file)).toEqual(before)
    expect(readdirSync(folder).filter((entry) => entry.endsWith('.part'))).toEqual([])
  })
})
