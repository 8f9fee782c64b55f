import type { Database } from '@/lib/db'

/** What a request is recognised by: a session of a browser, or a key of a script. */
export interface Credential {
  kind: 'session' | 'key'
  id: string
}

/**
 * Those of some credentials that still hold: neither ended, revoked nor expired, of a person who exists. One statement,
 * by primary keys: it is asked twice a second while streams are open.
 */
export async function heldCredentials(
  database: Database,
  credentials: readonly Credential[],
): Promise<Credential[]> {
  const of = (kind: Credential['kind']) => credentials.filter((c) => c.kind === kind).map(({ id }) => id)
  return database.query<Credential>(heldSql, [of('session'), of('key')])
}

const heldSql = `select 'session' as kind, id from session where id = any ($1::text[]) and expires_at > now()
union all select 'key', id from api_keys where id = any ($2::text[]) and (expires_at is null or expires_at > now())`
