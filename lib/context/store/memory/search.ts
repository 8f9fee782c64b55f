import { piecesOf, wordAt, wordsAsked } from '@/lib/events/search-letters'
import { searchText } from '../../fragments/message-text'
import type { SearchResult } from '../records'
import { snippetOf } from '../snippet'
import type { MemoryChat, MemoryMessage } from './memory-chat'

/**
 * Messages whose text holds every word of the query, as a word or the beginning of one, best first. Everything else
 * in the query (`%`, `*`, quotes) is punctuation. More and longer matches in less text rank higher; then the later.
 */
export function searchChat(
  chat: MemoryChat,
  query: string,
  options: { roles?: string[]; limit?: number },
): SearchResult[] {
  const wanted = wordsAsked(query)
  if (wanted.length === 0) return []
  const hits: SearchResult[] = []
  for (const message of chat.messages.values()) {
    if (options.roles && !options.roles.includes(message.record.name)) continue
    const hit = match(message, wanted)
    if (hit) hits.push(hit)
  }
  return hits
    .sort((a, b) => b.rank - a.rank || b.message.createdAt - a.message.createdAt)
    .slice(0, options.limit ?? 50)
}

function match(message: MemoryMessage, wanted: string[]): SearchResult | undefined {
  const text = searchText(message.record.data).slice(0, 100_000)
  const pieces = piecesOf(text)
  const words = pieces.map((_, at) => wordAt(pieces, at).word)
  const found = words.filter((word) => wanted.some((start) => word.startsWith(start)))
  const isComplete = wanted.every((start) => found.some((word) => word.startsWith(start)))
  if (!isComplete) return undefined
  const rank = found.length / (found.length + Math.log2(words.length + 1))
  return { message: structuredClone(message.record), rank, snippet: snippetOf(text, wanted) }
}
