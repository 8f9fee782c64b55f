import type { Database } from '@/lib/db'

/** A statement as it reached the database. */
export interface Recorded {
  text: string
  params: readonly unknown[]
}

/** A database that also notes what it is asked: a benchmark explains the very statement the store runs. */
export function recording(database: Database): { database: Database; statements: Recorded[] } {
  const statements: Recorded[] = []
  return {
    statements,
    database: {
      ...database,
      query: (text, params = []) => {
        statements.push({ text, params })
        return database.query(text, params)
      },
    },
  }
}
