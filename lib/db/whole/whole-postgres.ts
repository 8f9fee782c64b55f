import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import postgres from 'postgres'
import { DatabaseOpenError } from '../database'
import type { PostgresOptions } from '../open-postgres'
import { copyStatement, plainText, quoted, type WholeDatabase } from './whole-database'

/** Bytes of a piece: the server sends a row at a time. */
const PIECE = 1024 ** 2

/** Runs work in one transaction of a connection of its own, around a pooler where that is possible. */
export async function inPostgres<Result>(
  options: PostgresOptions,
  mode: string,
  work: (database: WholeDatabase) => Promise<Result>,
): Promise<Result> {
  const sql = postgres(options.unpooledUrl ?? options.url, {
    max: 1,
    prepare: false,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: 'ramify backup' },
  })
  try {
    await sql`select 1`.catch((error: unknown) => {
      const variable = options.unpooledUrl ? 'DATABASE_URL_UNPOOLED' : 'DATABASE_URL'
      const why = error instanceof Error ? error.message.split('\n')[0] : String(error)
      throw new DatabaseOpenError(`${variable}: the database cannot be opened (${why}).`, { cause: error })
    })
    // a promise in an array would be waited for
    const { result } = await sql.begin(mode, async (tx) => {
      // a host's limit for requests would end a large copy
      await tx.unsafe(
        `set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0; ${plainText}`,
      )
      return { result: await work(wholeOf(tx)) }
    })
    return result as Result
  } finally {
    await sql.end({ timeout: 5 })
  }
}

function wholeOf(tx: postgres.TransactionSql): WholeDatabase {
  return {
    kind: 'postgres',
    async run<Row>(statement: string) {
      const rows: unknown = await tx.unsafe(statement)
      // of several statements the driver answers with a list of lists
      const last = Array.isArray(rows) && Array.isArray(rows.at(-1)) ? rows.at(-1) : rows
      return last as Row[]
    },
    async *copyOut(rows) {
      const stream = await tx.unsafe(copyStatement(rows, 'stdout')).readable()
      let pending: Buffer[] = []
      let size = 0
      for await (const row of stream as AsyncIterable<Buffer>) {
        pending.push(row)
        size += row.length
        if (size < PIECE || row.at(-1) !== NEWLINE) continue
        yield Buffer.concat(pending, size)
        pending = []
        size = 0
      }
      if (size > 0) yield Buffer.concat(pending, size)
    },
    async copyIn(table, columns, pieces) {
      const names = columns.map(quoted).join(', ')
      const stream = await tx.unsafe(`copy ${quoted(table)} (${names}) from stdin`).writable()
      await pipeline(Readable.from(pieces), stream)
    },
  }
}

const NEWLINE = 10
