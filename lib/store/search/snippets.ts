import { searchText, snippetOf } from '@/lib/context'
import type { Database } from '@/lib/db'
import { saidInPiece } from '@/lib/events/said-words'
import { piecesOf, wordAt } from '@/lib/events/search-letters'
import { BEFORE, LETTERS, WINDOW, windowsSql } from './search-sql'

/** Place of a message. */
export interface Place {
  /** the chat's key, which may differ from the owner's id for it */
  chat: string
  lane: number
  depth: number
  /** role of the message; texts that a client put around a person's words are left out */
  role: string
}

/** Texts of 100,000 letters that the embedded database searches before it lets other work run. */
const PIECES = 8

/**
 * The snippets of some messages around `lexemes`, in order, as HTML. Reads no more than the first 100,000
 * letters of each and cuts the snippet from 2000 of those, so a snippet costs the same for any length.
 */
export async function snippetsOf(
  { kind, query }: Pick<Database, 'kind' | 'query'>,
  places: readonly Place[],
  lexemes: readonly string[],
): Promise<string[]> {
  const longest = longestOf(lexemes)
  const size = kind === 'pglite' ? PIECES : places.length
  const snippets: string[] = []
  for (let at = 0; at < places.length; at += size) {
    const messages = places.slice(at, at + size).map(({ chat, lane, depth }) => ({ chat, lane, depth }))
    const pieces = await query<{ piece: string; cut: boolean }>(windowsSql, [
      JSON.stringify(messages),
      `(?:^|[^[:alnum:]])${literal(longest)}`,
      longest,
    ])
    for (const [nth, { piece, cut }] of pieces.entries()) {
      const whole = cut ? wholeWords(piece) : piece
      snippets.push(snippetOf(places[at + nth]?.role === 'user' ? saidInPiece(whole) : whole, lexemes))
    }
  }
  return snippets
}

/** The snippet of a message that is at hand, cut as {@link snippetsOf} cuts it: no second look at the database. */
export function snippetOfMessage(data: unknown, lexemes: readonly string[]): string {
  const text = searchText(data).slice(0, LETTERS)
  const shown = isOfPerson(data) ? saidInPiece : (piece: string) => piece
  if (text.length <= WINDOW) return snippetOf(shown(text), lexemes)
  const longest = longestOf(lexemes)
  const pieces = piecesOf(text)
  const found = pieces.findIndex((_, at) => wordAt(pieces, at).word.startsWith(longest))
  const from = Math.max(0, (pieces[found]?.from ?? 0) - BEFORE)
  const piece = text.slice(from, from + WINDOW)
  return snippetOf(shown(from > 0 ? wholeWords(piece) : piece), lexemes)
}

const isOfPerson = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'role' in data && data.role === 'user'

const longestOf = (lexemes: readonly string[]): string =>
  lexemes.reduce((most, lexeme) => (lexeme.length > most.length ? lexeme : most), '')

/** Drops the cut word at a piece's beginning. */
const wholeWords = (piece: string): string => piece.replace(/^\S{0,100}\s+/, '')

/** A text as a regular expression of Postgres that finds it. */
const literal = (text: string): string => text.replaceAll(/[!-/:-@[-`{-~]/g, '\\$&')
