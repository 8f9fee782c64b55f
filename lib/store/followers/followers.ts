import type { Database } from '@/lib/db'
import type { Follower } from './follow-log'
import { followLog, whoIsBehind } from './follow-log'
import { titlesFollower } from './titles'
import { usageFollower } from './usage'
import { usageDaysFollower } from './usage-days'

/** All followers of the log. */
export const followers: readonly Follower[] = [usageFollower, usageDaysFollower, titlesFollower]

/** Batches of each follower in one go: followers, and the end of the process, wait no longer than that. */
const BATCHES = 5

/** The result of one go of all followers. */
export interface FollowedSome {
  /** events taken in, counted per follower */
  events: number
  /** chats that were written to */
  chats: string[]
  /** there may be more to take in */
  more: boolean
}

/**
 * Has every follower take in what has happened since the last time, up to some thousand events each. Several processes may
 * do so at once; each event is taken in once.
 */
export async function followSome(database: Database): Promise<FollowedSome> {
  const chats = new Set<string>()
  let [events, more] = [0, false]
  for (const follower of await whoIsBehind(database, followers)) {
    for (let n = 1; n <= BATCHES; n += 1) {
      const done = await followLog(database, follower)
      events += done.events
      for (const chatId of done.chats) chats.add(chatId)
      if (!done.more) break
      if (n === BATCHES) more = true
    }
  }
  return { events, chats: [...chats], more }
}

/** Wait of the oldest waiting work, in ms; 0 without any. */
export interface Backlog {
  /** the oldest run that no process has claimed */
  queued: number
  /** the oldest event that a follower of the log has not taken in */
  unfollowed: number
}

/** Reads the backlog of a database. One statement, an index lookup for each figure. */
export async function readBacklog(database: Pick<Database, 'query'>): Promise<Backlog> {
  const [row] = await database.query<Backlog>(backlogSql, [JSON.stringify(followers.map(({ name }) => name))])
  return { queued: Math.max(0, row?.queued ?? 0), unfollowed: Math.max(0, row?.unfollowed ?? 0) }
}

const sinceMs = (instant: string) => `(extract(epoch from clock_timestamp() - ${instant}) * 1000)::float8`

// events behind an open transaction count too; imported events have the dates of their origin
/** $1 names of the followers */
const backlogSql = `select
  (select ${sinceMs('min(r.created_at)')} from runs r where r.status = 'queued') as queued,
  (select max(${sinceMs('next.created_at')}) from json_array_elements_text($1::json) w(name)
    left join followers f on f.name = w.name
    cross join lateral (
      select case when c.metadata ? 'imported' then greatest(e.created_at, coalesce(f.updated_at, c.updated_at))
        else e.created_at end as created_at
      from events e left join chats c on c.id = e.chat_id
      where (e.txid, e.chat_id, e.seq) > (coalesce(f.txid, '0'), coalesce(f.at_chat, ''), coalesce(f.at_seq, 0))
      order by e.txid, e.chat_id, e.seq limit 1
    ) next) as unfollowed`
