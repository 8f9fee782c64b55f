import { snippetOf } from '@/lib/context'
import type { Database } from '@/lib/db'
import { windowsSql } from './search-sql'

/** Where a message stands. */
export interface Place {
  /** the chat's key, which is not what its owner calls it */
  chat: string
  lane: number
  depth: number
}

/** Texts of 100,000 letters that the embedded database looks through before it lets others go on. */
const PIECES = 8

/**
 * The snippets of some messages, in their order: what they say of `lexemes`, as HTML. Reads no more than the first
 * 100,000 letters of each and cuts the snippet from 2000 of those, so a snippet costs the same however much is stored.
 */
export async function snippetsOf(
  { kind, query }: Pick<Database, 'kind' | 'query'>,
  places: readonly Place[],
  lexemes: readonly string[],
): Promise<string[]> {
  const longest = lexemes.reduce((most, lexeme) => (lexeme.length > most.length ? lexeme : most), '')
  const size = kind === 'pglite' ? PIECES : places.length
  const snippets: string[] = []
  for (let at = 0; at < places.length; at += size) {
    const messages = places.slice(at, at + size).map(({ chat, lane, depth }) => ({ chat, lane, depth }))
    const pieces = await query<{ piece: string; cut: boolean }>(windowsSql, [
      JSON.stringify(messages),
      `(?i)(?:^|[^[:alnum:]])${literal(longest)}`,
      longest,
    ])
    // what is cut begins within a word
    for (const { piece, cut } of pieces)
      snippets.push(snippetOf(cut ? piece.replace(/^\S{0,100}\s+/, '') : piece, lexemes))
  }
  return snippets
}

/** A text as a regular expression of Postgres that finds it. */
const literal = (text: string): string => text.replaceAll(/[!-/:-@[-`{-~]/g, '\\$&')
