import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeWhole, migrateWhole, readWhole, type WholeDatabase } from '@/lib/db'
import { newId } from '@/lib/events'
import { BackupFileError, BackupReader, checkDatabase, DrizzleContextStore, restoreBackup } from '@/lib/store'
import {
  contentOf,
  emptyPlace,
  type Place,
  restoreFrom,
  writeHistories,
  writeTo,
} from '@/testing/worlds/backup-world'
import { dice } from '@/testing/worlds/dice'
import { onEachDatabase, onPostgres, postgresServer } from '@/testing/worlds/open-stores'

const seed = Number(process.env.RAMIFY_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

const folder = mkdtempSync(path.join(tmpdir(), 'ramify-refused-'))
const file = path.join(folder, 'whole.backup')
/** what the file holds, table by table */
let held: Record<string, string>

beforeAll(async () => {
  const place = await emptyPlace(postgresServer() ? 'postgres' : 'pglite', { migrated: true })
  const store = await DrizzleContextStore.open(place.options)
  await writeHistories(store, 'ada', { seed, chats: 2 })
  await store.close()
  held = await readWhole(place.options, async (database) => {
    await writeTo(file)(database)
    return contentOf(database)
  })
  await place.remove()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function restore(database: WholeDatabase, options?: { replace: boolean }) {
  const backup = await BackupReader.open(file)
  return restoreBackup(database, backup, options).finally(() => backup.close())
}

onEachDatabase('a restore', ({ name }) => {
  /** has tables, and a follower's row, and no person */
  let fresh: Place
  let before: Record<string, string>

  beforeAll(async () => {
    fresh = await emptyPlace(name, { migrated: true })
    before = await changeWhole(fresh.options, async (database) => {
      await database.run(`insert into followers (name) values ('usage')`)
      return contentOf(database)
    })
  })
  afterAll(() => fresh?.remove())

  it('given a failure in its middle, then nothing of it is left', async () => {
    const broken = changeWhole(fresh.options, (database) =>
      restore({
        ...database,
        run: (sql) => {
          if (sql.includes('"branches_name"') && sql.includes('add constraint')) throw new Error('pulled')
          return database.run(sql)
        },
      }),
    )
    await expect(broken).rejects.toThrow('pulled')
    expect(await readWhole(fresh.options, contentOf)).toEqual(before)
  })

  it('given a database in use, then it is refused; with `replace` it becomes what the file says', async () => {
    await changeWhole(fresh.options, async (database) => {
      await database.run(`insert into "user" (id, name, email) values ('grace', 'Grace', 'grace@x.invalid')`)
      const used = await contentOf(database)
      await expect(restore(database)).rejects.toThrow(/has people or chats/)
      expect(await contentOf(database)).toEqual(used)

      await restore(database, { replace: true })
      expect(await contentOf(database)).toEqual(held)
    })
  })
})

describe('a damaged backup', () => {
  /** One bit changed behind gzip's own header, whose bits say nothing. Those that only fill a byte up are passed over: without them the content is the same. */
  const changed = (whole: Buffer, anywhere: () => { at: number; bit: number }): Buffer => {
    const { at, bit } = anywhere()
    const copy = Buffer.from(whole)
    copy[at] = (copy[at] ?? 0) ^ (1 << bit)
    return holdsTheSame(copy, whole) ? changed(whole, anywhere) : copy
  }

  const damaged = (bytes: Uint8Array): string => {
    const at = path.join(folder, newId())
    writeFileSync(at, bytes)
    return at
  }

  it(`given a file that is cut off or changed anywhere, then it is refused before a database is opened (seed ${seed})`, async () => {
    const whole = readFileSync(file)
    const { roll } = dice(seed)
    const anywhere = () => 10 + roll(whole.length - 11)
    const broken = [
      ...[0, 9, 300, whole.length - 8, whole.length - 1].map((length) => whole.subarray(0, length)),
      ...[1, 2].map(() => whole.subarray(0, anywhere())),
      ...[1, 2, 3].map(() => changed(whole, () => ({ at: anywhere(), bit: roll(8) }))),
      Buffer.concat([whole, whole]),
      Buffer.from('no archive'),
      gzipSync('no archive either'),
    ]
    for (const bytes of broken) {
      await expect(BackupReader.open(damaged(bytes))).rejects.toBeInstanceOf(BackupFileError)
    }
  })

  it('given a file whose rows were changed within a good archive, then its checksums refuse it', async () => {
    const inside = gunzipSync(readFileSync(file))
    const at = inside.indexOf('over here')
    expect(at).toBeGreaterThan(0)
    inside.write('OVER', at)
    await expect(BackupReader.open(damaged(gzipSync(inside)))).rejects.toThrow(/is not what was written/)
  })
})

function holdsTheSame(archive: Buffer, other: Buffer): boolean {
  try {
    return gunzipSync(archive).equals(gunzipSync(other))
  } catch {
    // it cannot be unpacked
    return false
  }
}

onPostgres('a backup of another version', () => {
  it('given a backup of an earlier version, then it is restored and migrated; one of a later version is refused', async () => {
    // given a database that has had the first 27 migrations, and a person in it
    const [old, target] = [await emptyPlace('postgres'), await emptyPlace('postgres')]
    await changeWhole(old.options, async (database) => {
      await migrateWhole(database, 0, 27)
      await database.run(`insert into "user" (id, name, email) values ('ada', 'Ada', 'ada@users.invalid')`)
    })
    const early = path.join(folder, 'early.backup')
    await readWhole(old.options, writeTo(early))

    // when
    await restoreFrom(early, target)

    // then this version goes on with it
    const store = await DrizzleContextStore.open(target.options)
    await store.upsertChat({ id: 'trip', userId: 'ada' })
    expect(await checkDatabase(store.database)).toEqual([])
    await store.close()

    // and one that tells of a migration more than this version has is refused
    const late = path.join(folder, 'late.backup')
    await readWhole(target.options, (database) =>
      writeTo(late)({
        ...database,
        run: async <Row>(sql: string) => {
          const rows = await database.run<Row>(sql)
          return sql.startsWith('select hash') ? [...rows, { hash: 'f'.repeat(64) } as Row] : rows
        },
      }),
    )
    await expect(restoreFrom(late, old)).rejects.toThrow(/newer Ramify \(0\.1\.0, 1 migration ahead\)/)
    await old.remove()
    await target.remove()
  })
})
