import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pgliteFolder } from '@/testing/worlds/open-stores'
import { isBlankCurrent, packBlank, unpackBlank } from './blank-folder'
import type { Database } from './database'
import { openDatabase } from './open'

/** All that the database knows of tables, columns, keys, indexes, triggers and functions, and the rows of each table. */
async function describeDatabase({ query }: Database): Promise<unknown> {
  const tables = await query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'drizzle') order by 1`,
  )
  const rows = await query<{ name: string; count: number }>(
    tables
      .map(({ name }) => `select '${name}' as name, count(*)::int as count from ${name}`)
      .join(' union all '),
  )
  const catalog = await query(`
    select 'column' as kind, attrelid::regclass::text as of, attname as name,
      concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attgenerated, pg_get_expr(adbin, adrelid)) as said
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    union all
    select 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace
    union all
    select 'index', indrelid::regclass::text, indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
    where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    union all
    select 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all
    select 'function', '', oid::regprocedure::text, pg_get_functiondef(oid) from pg_proc
    where pronamespace = 'public'::regnamespace and prokind = 'f'
    order by 1, 2, 3`)
  return { rows, catalog }
}

/** The number that the database was given when it was made; a copy has that of its original. */
const madeAs = async ({ query }: Database): Promise<unknown> =>
  (await query('select system_identifier::text as made from pg_control_system()'))[0]

describe('a new folder of the embedded database', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-blank-'))
  const blank = path.join(folder, 'blank-database')
  let migrated: { said: unknown; made: unknown }

  beforeAll(async () => {
    // given a folder without tables, which the migrations make what they are
    const { dataDir, remove } = pgliteFolder({ migrated: false })
    const database = await openDatabase({ dataDir })
    migrated = { said: await describeDatabase(database), made: await madeAs(database) }
    await database.close()
    packBlank(path.join(dataDir, 'pglite'), blank)
    remove()
    // all migrations run: ten seconds of a core
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('given the blank one of the same migrations, then it begins as a copy of it, with what the migrations make and no row of data', async () => {
    const database = await openDatabase({ dataDir: path.join(folder, 'data'), blank })
    expect(await madeAs(database)).toEqual(migrated.made)
    const said = (await describeDatabase(database)) as { rows: { name: string; count: number }[] }
    expect(said).toEqual(migrated.said)
    expect(said.rows.filter(({ count }) => count > 0).map(({ name }) => name)).toEqual([
      'drizzle.__drizzle_migrations',
      'public.sql_functions',
      'public.sweeps',
    ])
    await database.close()
  })

  it('given one that was left half unpacked, then it is unpacked anew', () => {
    const place = path.join(folder, 'killed/pglite')
    mkdirSync(`${place}.making/base`, { recursive: true })
    writeFileSync(path.join(`${place}.making`, 'PG_VERSION'), '1')
    unpackBlank(place, blank)
    expect(readFileSync(path.join(place, 'PG_VERSION'), 'utf8')).toBe('18\n')
    expect(existsSync(`${place}.making`)).toBe(false)
  })

  it('given a blank one of other migrations or functions, then it is not used', () => {
    const stale = path.join(folder, 'stale')
    const bytes = readFileSync(blank)
    bytes.write(bytes[0] === 0x30 ? '1' : '0')
    writeFileSync(stale, bytes)
    const place = path.join(folder, 'stale-data/pglite')
    unpackBlank(place, stale)
    expect(existsSync(place)).toBe(false)
    expect([isBlankCurrent(blank), isBlankCurrent(stale)]).toEqual([true, false])
  })

  it('given a folder in which something is, then nothing of it is touched', () => {
    const place = path.join(folder, 'older/pglite')
    mkdirSync(place, { recursive: true })
    writeFileSync(path.join(place, 'PG_VERSION'), '17\n')
    unpackBlank(place, blank)
    expect(readFileSync(path.join(place, 'PG_VERSION'), 'utf8')).toBe('17\n')
  })
})
