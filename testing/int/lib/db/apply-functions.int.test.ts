import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyFunctions } from '@/lib/db/apply-functions'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

const source = path.resolve('lib/db/functions')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.sql'),
)
const names = files.map((file) => path.basename(file, '.sql'))

it('each file defines the one function it is named after, and the triggers that run it', () => {
  for (const file of files) {
    const name = path.basename(file, '.sql')
    const text = readFileSync(path.join(source, file), 'utf8')
    expect([...text.matchAll(/^CREATE FUNCTION (\w+)/gm)].map(([, defined]) => defined)).toEqual([name])
    for (const [, run] of text.matchAll(/EXECUTE FUNCTION (\w+)/g)) expect(run).toBe(name)
  }
})

onEachDatabase('SQL functions', ({ open }) => {
  const opened = openedStore(open)
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-functions-'))
  const query = <Row>(sql: string) => opened.database.query<Row>(sql)
  /** As opening does, statement by statement: outside a transaction `set local` does nothing. */
  const apply = () => {
    const run = async (sql: string) => {
      if (sql.startsWith('select')) return query(sql)
      await query(`do $outer$ begin ${sql}; end $outer$`)
      return []
    }
    return applyFunctions(run, folder)
  }
  const namesIn = async (sql: string) => (await query<{ name: string }>(sql)).map(({ name }) => name)
  const defined = () =>
    namesIn(
      `select proname as name from pg_proc where pronamespace = 'public'::regnamespace order by proname`,
    )

  beforeAll(() => cpSync(source, folder, { recursive: true }))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('are those of the folder, each once, with a hash', async () => {
    expect(await defined()).toEqual(names.toSorted())
    expect(await namesIn('select name from sql_functions order by name')).toEqual(names.toSorted())
  })

  it('given a changed, a new and a deleted file, when they are applied, then the database has what the folder has', async () => {
    // given other parameters: CREATE OR REPLACE would have left two functions of the name
    const write = (file: string, parameters: string, answer: string) =>
      writeFileSync(
        path.join(folder, `${file}.sql`),
        `CREATE FUNCTION ${path.basename(file)}(${parameters}) RETURNS int LANGUAGE plpgsql AS $fn$ BEGIN RETURN ${answer}; END $fn$;\n`,
      )
    write('search/message_text', 'v_chat text, v_add int', 'v_add')
    write('brand_new', '', '7')
    rmSync(path.join(folder, 'quotas/take_quota.sql'))
    const triggers = await query<{ count: number }>('select count(*)::int as count from pg_trigger')

    // when
    await apply()

    // then
    const expected = names.filter((name) => name !== 'take_quota').concat('brand_new')
    expect(await defined()).toEqual(expected.toSorted())
    expect(await query(`select message_text('x', 3) + brand_new() as sum`)).toEqual([{ sum: 10 }])
    expect(await query('select count(*)::int as count from pg_trigger')).toEqual(triggers)
  })

  it('given a changed trigger function, when it is applied, then its triggers are there again', async () => {
    const file = path.join(folder, 'guards/refuse_change.sql')
    writeFileSync(file, `-- said otherwise\n${readFileSync(file, 'utf8')}`)
    // those of parts come back when the database is opened
    const triggers = () =>
      query(`select t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid and not c.relispartition
        where not t.tgisinternal order by t.tgname`)
    const before = await triggers()
    await apply()
    expect(await triggers()).toEqual(before)
    await expect(query('update messages set id = id')).rejects.toThrow('immutable')
  })
})
