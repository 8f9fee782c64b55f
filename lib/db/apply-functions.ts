import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const migrationsFolder = (): string => path.join(process.cwd(), 'drizzle')

export const functionsFolder = (): string => path.join(process.cwd(), 'lib/db/functions')

/** Runs statements without parameters and returns the rows of the last one. */
type Run = (sql: string) => Promise<unknown[]>

/**
 * Defines the SQL functions of a folder, one file each, with their triggers. A file whose hash is the recorded one is left
 * alone; a function that no file defines any more is dropped. Belongs in one transaction, after the migrations and under
 * their lock.
 */
export async function applyFunctions(run: Run, folder = functionsFolder()): Promise<void> {
  const recorded = (await run('select name, hash from sql_functions')) as { name: string; hash: string }[]
  const hashes = new Map(recorded.map(({ name, hash }) => [name, hash]))
  // without the notes the build would trace the whole project into each function of a host
  const files = readdirSync(/* turbopackIgnore: true */ folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .map((file) => {
      const text = readFileSync(
        /* turbopackIgnore: true */ path.join(/* turbopackIgnore: true */ folder, file),
        'utf8',
      )
      return {
        name: path.basename(file, '.sql'),
        text,
        hash: createHash('sha256').update(text).digest('hex'),
      }
    })
  const changed = files.filter(({ name, hash }) => hashes.get(name) !== hash)
  for (const { name } of files) hashes.delete(name)
  const stale = [...hashes.keys(), ...changed.map(({ name }) => name)]
  if (stale.length === 0) return
  const names = (of: string[]) => `array[${of.map((name) => `'${name}'`).join(', ')}]::text[]`
  await run(
    [
      // in any order: bodies are not checked for what they call
      'set local check_function_bodies = off',
      // dropped first: other parameters would make a second function of the name. Its triggers go too; its file makes them
      `do $$ declare f regprocedure; begin
        for f in select oid from pg_proc
          where pronamespace = current_schema()::regnamespace and proname = any (${names(stale)})
        loop execute format('drop function %s cascade', f); end loop;
      end $$`,
      ...changed.map(({ text }) => text.trim().replace(/;$/, '')),
      `delete from sql_functions where name = any (${names(stale)})`,
      ...changed.map(({ name, hash }) => `insert into sql_functions values ('${name}', '${hash}')`),
    ].join(';\n'),
  )
}
