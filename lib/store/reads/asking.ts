import type { Database, QueryOptions } from '@/lib/db'

/**
 * The database's `query` for statements that look things up by the ids and names a caller gives. A text that no row can
 * hold finds nothing, without a statement: Postgres refuses NUL, and the driver would turn a lone surrogate into U+FFFD,
 * which may be the name of another row.
 *
 * @param always options of all statements
 */
export function asking(database: Pick<Database, 'query'>, always: QueryOptions = {}): Database['query'] {
  return async <Row>(text: string, params: readonly unknown[] = [], options?: QueryOptions) =>
    params.every(isStorable) ? database.query<Row>(text, params, { kind: 'read', ...always, ...options }) : []
}

/** False for text that Postgres would refuse or keep differently; other values are not looked into. */
export const isStorable = (value: unknown): boolean =>
  typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed())
