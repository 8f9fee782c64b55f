import type { Database } from '@/lib/db'

/** One statement's share of the work: the embedded database answers nothing else meanwhile. */
const MESSAGES = 50
const LETTERS = 50_000

/** Chats whose locks one statement may hold. */
const CHATS = 50

export interface Indexed {
  messages: number
  /** there was more to index than `letters` */
  more: boolean
}

/**
 * Indexes the latest messages of some chats, in order and in small statements, until about so many letters
 * have been read.
 */
export async function indexSearch(
  query: Database['query'],
  chatIds: readonly string[],
  letters = Number.POSITIVE_INFINITY,
): Promise<Indexed> {
  let messages = 0
  let left = letters
  for (let at = 0; at < chatIds.length; at += CHATS) {
    const some = JSON.stringify(chatIds.slice(at, at + CHATS))
    for (let more = true; more; ) {
      if (left <= 0) return { messages, more: true }
      const [row] = await query<{ done: Indexed & { letters: number } }>(
        'select index_search($1::json, $2, $3) as done',
        [some, MESSAGES, LETTERS],
      )
      if (!row) break
      messages += row.done.messages
      left -= row.done.letters
      more = row.done.more
    }
  }
  return { messages, more: false }
}
