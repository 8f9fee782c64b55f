import type { Database } from '@/lib/db'
import type { SearchHit, SearchPage } from '@/lib/graph'
import { catchUpSql, searchSql } from './search-sql'

/** Log entries that one search looks through at most before it answers; some two seconds of work. */
const MOST_EVENTS = 5000

export interface SearchOptions {
  chatId?: string
  roles?: readonly string[]
  limit: number
  offset?: number
}

/**
 * Searches everything that an owner's chats hold, on any branch: messages with all the words of `query`, each as a word
 * or the beginning of one, best first. What was said a moment ago is found: chats whose log the search lags behind are
 * brought up to date first, the latest used first; a long backlog takes several searches, and `partial` says so.
 *
 * @param ask the database's `query`, which finds nothing for text that Postgres cannot hold
 * @returns undefined when the chat asked for is missing or someone else's; no hits when the query has no word in it
 */
export async function searchMessages(
  ask: Database['query'],
  ownerId: string,
  query: string,
  { chatId, roles, limit, offset = 0 }: SearchOptions,
): Promise<SearchPage | undefined> {
  const within = chatId ?? null
  const [state] = await ask<{ words: string | null; known: boolean; partial: boolean }>(catchUpSql, [
    ownerId,
    query,
    within,
    MOST_EVENTS,
  ])
  if (state && !state.known) return undefined
  if (!state || state.words === null) return { hits: [], more: false, partial: false }
  const hits = await ask<SearchHit>(searchSql, [ownerId, state.words, within, roles ?? null, limit, offset], {
    planAnew: true,
  })
  return { hits: hits.slice(0, limit), more: hits.length > limit, partial: state.partial }
}
