import { randomBytes } from 'node:crypto'
import postgres from 'postgres'

export type TestDatabase = { url: string; name: string; drop: () => Promise<void> }

/** A fresh database beside the one of `url`: empty, or a copy of another without connections, by its `name`. */
export async function createDatabase(
  url: string,
  { template = 'template0' }: { template?: string } = {},
): Promise<TestDatabase> {
  const name = `ramify_test_${randomBytes(8).toString('hex')}`
  await run(url, (sql) => sql`create database ${sql(name)} template ${sql(template)}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return {
    url: own.href,
    name,
    drop: () => run(url, (sql) => sql`drop database if exists ${sql(name)} with (force)`),
  }
}

async function run(url: string, statement: (sql: postgres.Sql) => PromiseLike<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await statement(sql)
  } finally {
    await sql.end()
  }
}
