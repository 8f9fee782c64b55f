import type { Database } from '@/lib/db'
import { isMovedSql, resetFollower } from './follow-log'
import type { Follower } from './follower'

/**
 * Makes a log that was restored from another server's dump one of this server. Its events keep the numbers of the
 * transactions that wrote them there, and followers, who go by them, would pass over what is written here until as many
 * transactions have run. Restored events become older than any transaction of this server, and followers begin anew.
 *
 * The one place where something about an event is written again: who wrote it in which transaction of a server that is
 * gone, nothing it says. Writers wait meanwhile. Needs the rights of the tables' owner.
 *
 * @returns whether the log came from another server; otherwise nothing was done
 */
export async function adoptLog(database: Database, followers: readonly Follower[]): Promise<boolean> {
  const [row] = await database.query<{ moved: boolean }>(`select (${isMovedSql}) as moved`)
  if (!row?.moved) return false
  // the last step ends the matter: broken off before it, all of it is done again
  for (const follower of followers) await resetFollower(database, follower)
  await database.query(renumberSql)
  return true
}

const renumberSql = `do $$ begin
  alter table events disable trigger events_no_change;
  update events set txid = '0' where txid >= pg_snapshot_xmax(pg_current_snapshot());
  alter table events enable trigger events_no_change;
end $$`
