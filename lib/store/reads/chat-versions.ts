import type { Database } from '@/lib/db'

/**
 * For each of these chats a value that changes whenever its log grows or another set of replies is being written; none
 * for one that does not exist. One statement, from indexes alone: it is asked every few seconds.
 */
export async function chatVersions(
  database: Database,
  chatIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await database.query<{ id: string; version: string }>(versionsSql, [chatIds])
  return new Map(rows.map(({ id, version }) => [id, version]))
}

// a run that answers an old message anew writes no event
const versionsSql = `
select c.id, c.last_seq || ' ' || coalesce((select string_agg(r.id, ' ' order by r.id) from runs r
  where r.chat_id = c.id and r.status in ('queued', 'running')), '') as version
from chats c where c.id = any ($1::text[])`
