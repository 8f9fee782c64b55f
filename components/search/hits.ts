import type { ChatId } from '@/lib/events'
import type { SearchHit } from '@/lib/graph'

/** The hits in one chat, best first. */
export interface HitGroup {
  chatId: ChatId
  title: string
  archived: boolean
  hits: SearchHit[]
}

/** Hits by chat; the chat with the best hit comes first. */
export function groupHits(hits: readonly SearchHit[]): HitGroup[] {
  const groups = new Map<ChatId, HitGroup>()
  for (const hit of hits) {
    const group = groups.get(hit.chatId)
    if (group) group.hits.push(hit)
    else {
      const { chatId, chatTitle, chatArchived: archived } = hit
      groups.set(chatId, { chatId, title: chatTitle ?? 'Untitled chat', archived, hits: [hit] })
    }
  }
  return [...groups.values()]
}

/** A piece of a snippet: words found, or the text around them. */
export interface SnippetPart {
  text: string
  found: boolean
}

// the server escapes everything but these two
const tag = /<\/?mark>/
const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

// Markdown's marks around words, useless in a snippet: **bold**, `code`, # heading, | cell |
const marks = /(\*\*|__|`+|^\s*#{1,6}\s|(?<=\s)#{1,6}\s)/g
// a word found may stand between the two
const emphasis = /(^|[\s(])[*_](?=\S|$)|(?<=\S|^)[*_](?=$|[\s).,;:!?])/g
const bullets = /\n[^\S\n]*[-*+]\s+/g
const cells = /\s*\|(?:[\s:-]*\|)*\s*/g

/**
 * A snippet's HTML as pieces of plain text, which are never used as HTML again. Markdown's marks are left
 * out, and lines become one.
 */
export function snippetParts(html: string): SnippetPart[] {
  const parts: SnippetPart[] = []
  for (const [at, piece] of html.split(tag).entries()) {
    const text = plain(piece.replace(/&(?:lt|gt|amp);/g, (entity) => entities[entity] ?? entity))
    // the tags come in pairs, so every second piece stands between two
    if (text !== '') parts.push({ text, found: at % 2 === 1 })
  }
  return trimmed(parts)
}

const plain = (text: string): string =>
  text
    .replaceAll(bullets, ' · ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(marks, '')
    .replaceAll(emphasis, '$1')
    .replaceAll(cells, ' · ')
    .replaceAll(/(?<=[.:;,!?])(?: ·)+ /g, ' ')
    .replaceAll(/(?:· )+·/g, '·')

function trimmed(parts: SnippetPart[]): SnippetPart[] {
  const first = parts[0]
  const last = parts.at(-1)
  if (first) first.text = first.text.replace(/^[\s·]+/, '')
  if (last) last.text = last.text.replace(/[\s·]+$/, '')
  return parts.filter(({ text }) => text !== '')
}
