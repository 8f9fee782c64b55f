import type { Database } from '@/lib/db'
import { followLog, whoIsBehind } from './follow-log'
import type { Follower } from './follower'
import { titlesFollower } from './titles'
import { usageFollower } from './usage'

/** Everybody who follows the log of all chats. */
export const followers: readonly Follower[] = [usageFollower, titlesFollower]

/** Batches of one go for each follower: none has to wait long for another, nor whoever wants to end. */
const BATCHES = 5

/** What the followers have done in one go. */
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
