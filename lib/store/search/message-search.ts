import type { Database } from '@/lib/db'
import type { SearchHit, SearchPage, TitledBranch } from '@/lib/graph'
import { indexSearch } from './search-index'
import { prepareSql, searchSql } from './search-sql'
import { type Place, snippetsOf } from './snippets'

/** Log entries, and letters, that one search looks through at most before it answers; some two seconds of work. */
const MOST_EVENTS = 5000
const MOST_LETTERS = 4_000_000

export interface SearchOptions {
  chatId?: string
  roles?: readonly string[]
  limit: number
  offset?: number
}

/** A stored hit, with the sources of its branch's title. */
type StoredHit = Omit<SearchHit, 'branch'> & {
  branch: (Omit<NonNullable<SearchHit['branch']>, 'title'> & TitledBranch) | null
}

export interface StoredPage extends Omit<SearchPage, 'hits'> {
  hits: StoredHit[]
}

interface Prepared {
  wanted: string | null
  any: string
  lexemes: string[]
  known: boolean
  partial: boolean
  lagging: string[]
}

/**
 * Searches all messages of an owner's chats, on any branch: messages with all the words of `query`, each as a
 * word or the beginning of one, best first. Its first twelve words count. The latest messages are found:
 * chats whose index lags behind their log are indexed first, the latest used first; a long backlog takes
 * several searches, and `partial` says so.
 *
 * @param database its `query` finds nothing for text that Postgres cannot hold
 * @returns undefined when the chat asked for is missing or another person's; no hits for a query without a
 * word
 */
export async function searchMessages(
  database: Pick<Database, 'kind' | 'query'>,
  ownerId: string,
  query: string,
  { chatId, roles, limit, offset = 0 }: SearchOptions,
): Promise<StoredPage | undefined> {
  const within = chatId ?? null
  const [asked] = await database.query<Prepared>(prepareSql, [ownerId, query, within, MOST_EVENTS])
  if (asked && !asked.known) return undefined
  if (!asked || asked.wanted === null) return { hits: [], more: false, partial: false }
  const { wanted, any, lexemes, lagging } = asked
  const { more } = await indexSearch(database.query, lagging, MOST_LETTERS)
  const found = await database.query<Omit<StoredHit, 'snippet'> & Place>(
    searchSql,
    [ownerId, wanted, within, roles ?? null, limit, offset, any],
    { planAnew: true },
  )
  const shown = found.slice(0, limit)
  const snippets = await snippetsOf(database, shown, lexemes)
  const hits = shown.map(({ chat: _, lane, depth, ...hit }, at) => ({ ...hit, snippet: snippets[at] ?? '' }))
  return { hits, more: found.length > limit, partial: asked.partial || more }
}
