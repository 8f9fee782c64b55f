import type { ForeignPart } from '../../foreign-chat'
import { isRecord, type Json, type JsonRecord, listAt, textAt } from '../../json/values'
import { sourceParts, textPart } from '../../parts/read-blocks'

/** References of a message, letters of a mark and of all links put in: a page of sources has fewer. */
const [MAX_REFERENCES, MAX_MARK, MAX_LINKS] = [500, 1000, 1_000_000]
/** A text is looked at for each mark at each of its letters: longer ones keep their marks. */
const MAX_LOOKS = 50_000_000
/** Keys under which a reference has its pages. */
const pagesAt = ['items', 'sources', 'supporting_websites', 'fallback_items', 'entries']

const isMark = /[\ue200-\ue2ff【]/
/** Marks that the export explains nowhere: marks of a person or a place, with the name in them, and of sources. */
const entity =
  /\ue200entity\ue202\[[^\]\ue201]{0,500}?"((?:[^"\\\ue201]|\\.){1,200})"(?:,[^",\]\ue201]{0,20})?\]\ue201/g
const source = / ?(?:\ue200[^\ue200\ue201]{0,1000}\ue201|【\d+[^】]{0,200}】)/g

/**
 * Marks of sources, which are characters that no font has, replaced by the links or names that the export gives for them; the
 * pages themselves as sources after the words. Marks without either go.
 */
export function withReferences(
  parts: readonly ForeignPart[],
  metadata: JsonRecord,
  place: string,
): ForeignPart[] {
  const references = listAt(metadata, 'content_references').slice(0, MAX_REFERENCES)
  const cited = listAt(metadata, 'citations').slice(0, MAX_REFERENCES)
  const found = listAt(metadata, 'search_result_groups').slice(0, MAX_REFERENCES)
  const named = sourceParts([...references.flatMap(pagesOf), ...cited], place)
  const pages = named.length > 0 ? named : sourceParts(found.flatMap(pagesOf), place)
  const links = linksIn(references)
  const marks =
    links.size === 0
      ? null
      : new RegExp(
          [...links.keys()].map((mark) => mark.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'),
          'g',
        )
  let letters = 0
  const said = parts.flatMap((part) => {
    if (part.type !== 'text' || !isMark.test(part.text)) return [part]
    if (part.text.length * Math.max(1, links.size) > MAX_LOOKS) return [part]
    const linked = marks
      ? part.text.replace(marks, (mark) => {
          const link = links.get(mark) ?? mark
          letters += link.length
          return letters > MAX_LINKS ? mark : link
        })
      : part.text
    return textPart(linked.replace(entity, '$1').replace(source, ''))
  })
  return [...said, ...pages]
}

function linksIn(references: readonly Json[]): Map<string, string> {
  const links = new Map<string, string>()
  for (const reference of references) {
    const mark = textAt(reference, 'matched_text')
    if (!mark || mark.length > MAX_MARK || links.has(mark) || !isMark.test(mark)) continue
    const alt = isRecord(reference) ? reference.alt : undefined
    const link = typeof alt === 'string' ? alt : textAt(reference, 'name')
    if (link !== null) links.set(mark, link)
  }
  return links
}

/** The pages of a reference, also those in its groups. */
function pagesOf(reference: Json): Json[] {
  const pages: Json[] = []
  const waiting: Json[] = [reference]
  for (let next = waiting.pop(); next !== undefined && pages.length < MAX_REFERENCES; next = waiting.pop()) {
    if (textAt(next, 'url')) pages.push(next)
    for (const key of pagesAt) waiting.push(...listAt(next, key).slice(0, MAX_REFERENCES).toReversed())
  }
  return pages
}
