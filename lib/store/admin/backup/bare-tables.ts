import { quoted, type WholeDatabase } from '@/lib/db'

interface Kept {
  table: string
  /** the kind of the constraint, or `i` for an index that belongs to none */
  kind: string
  name: string
  definition: string
}

const constraintsSql = `select t.relname as table, k.contype::text as kind, k.conname as name, pg_get_constraintdef(k.oid) as definition
  from pg_constraint k join pg_class t on t.oid = k.conrelid
  where t.relnamespace = 'public'::regnamespace and k.contype in ('p', 'u', 'f') and k.conparentid = 0 order by k.oid`

const indexesSql = `select t.relname as table, 'i' as kind, i.relname as name, pg_get_indexdef(x.indexrelid) as definition
  from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
  where t.relnamespace = 'public'::regnamespace and not exists (select 1 from pg_constraint k where k.conindid = x.indexrelid)
  order by x.indexrelid`

/** Keys first: the foreign ones refer to them. */
const ORDER = ['p', 'u', 'i', 'f']

/**
 * Fills tables while they have no keys, no indexes and no triggers of ours, and gives these back: rows may come in any order, nothing is done
 * twice, and an index is built once instead of grown. Keys are verified when they come back. Needs the rights of the tables' owner.
 */
export async function withBareTables(
  database: WholeDatabase,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  const ours = new Set(tables)
  const kept = [
    ...(await database.run<Kept>(constraintsSql)),
    ...(await database.run<Kept>(indexesSql)),
  ].filter(({ table }) => ours.has(table))
  const ordered = ORDER.flatMap((kind) => kept.filter((one) => one.kind === kind))
  for (const { table, kind, name } of [...ordered].reverse()) {
    await database.run(
      kind === 'i'
        ? `drop index ${quoted(name)}`
        : `alter table ${quoted(table)} drop constraint ${quoted(name)}`,
    )
  }
  for (const table of tables) await database.run(`alter table ${quoted(table)} disable trigger user`)
  await fill()
  for (const { table, kind, name, definition } of ordered) {
    await database.run(
      kind === 'i' ? definition : `alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`,
    )
  }
  for (const table of tables) await database.run(`alter table ${quoted(table)} enable trigger user`)
}

/** Sets the counters of ids behind the largest stored ids. */
export async function continueCounters(database: WholeDatabase, tables: readonly string[]): Promise<void> {
  const counters = await database.run<{ table: string; column: string; counter: string }>(
    `select t.relname as table, a.attname as column, pg_get_serial_sequence(quote_ident(t.relname), a.attname) as counter
    from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    where t.relnamespace = 'public'::regnamespace and t.relkind = 'r'
      and pg_get_serial_sequence(quote_ident(t.relname), a.attname) is not null`,
  )
  for (const { table, column, counter } of counters.filter((one) => tables.includes(one.table))) {
    const largest = `(select max(${quoted(column)}) from ${quoted(table)})`
    await database.run(`select setval('${counter}', coalesce(${largest}, 1), ${largest} is not null)`)
  }
}
