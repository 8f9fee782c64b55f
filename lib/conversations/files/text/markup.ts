import { posix } from 'node:path'
import { Parser } from 'htmlparser2'
import { TextWriter } from './text-writer.ts'
import type { Unzipped } from './unzip.ts'

/** The attributes of every element of a name, without its prefix, in the order of a document of XML. */
export function elements(xml: string, name: string): Record<string, string>[] {
  const found: Record<string, string>[] = []
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (localName(tag) === name) found.push(attributes)
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return found
}

/** A name without its prefix. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The parts that a part of an Office file names, by their ids. */
export async function targetsOf(
  zip: Unzipped,
  part: string,
): Promise<Map<string, { path: string; type: string }>> {
  const { dir, base } = posix.parse(part)
  const relations = elements(await zip.text(`${dir}/_rels/${base}.rels`), 'Relationship')
  return new Map(
    relations.map(({ Id = '', Target = '', Type = '' }) => [
      Id,
      { path: Target.startsWith('/') ? Target.slice(1) : posix.join(dir, Target), type: Type },
    ]),
  )
}

/** The text of a page of HTML or XHTML. */
export function htmlText(html: string): string {
  const writer = new TextWriter()
  const parser = new Parser({
    onopentag: (tag, attributes) => writer.open(tag, attributes),
    ontext: (text) => writer.write(text),
    onclosetag: (tag) => writer.close(tag),
  })
  parser.end(html)
  return writer.text
}

/** Elements of DrawingML by local name, as elements of HTML. */
const slideTags: Readonly<Record<string, string>> = { p: 'p', br: 'br', tbl: 'table', tr: 'tr', tc: 'td' }

/** The text of a slide, or of its notes. */
export function slideText(xml: string): string {
  const writer = new TextWriter()
  let [isText, isPlaceholder] = [false, false]
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const tag = localName(name)
        if (tag === 't') isText = true
        // the number of a slide and its date are no words of it
        if (tag === 'fld') isPlaceholder = /^(?:slidenum|datetime)/.test(attributes.type ?? '')
        if (tag === 'pic') writer.open('img')
        if (slideTags[tag] && !name.startsWith('p:')) writer.open(slideTags[tag])
      },
      ontext(text) {
        if (isText && !isPlaceholder) writer.write(text)
      },
      onclosetag(name) {
        const tag = localName(name)
        if (tag === 't') isText = false
        if (tag === 'fld') isPlaceholder = false
        if (slideTags[tag] && !name.startsWith('p:')) writer.close(slideTags[tag])
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return writer.text
}

/** Elements of OpenDocument, as elements of HTML. */
const openTags: Readonly<Record<string, string>> = {
  'text:p': 'p',
  'text:list-item': 'li',
  'text:line-break': 'br',
  'table:table': 'table',
  'table:table-row': 'tr',
  'table:table-cell': 'td',
  'table:covered-table-cell': 'td',
  'draw:image': 'img',
}

/** The text of the `content.xml` of OpenDocument. Sheets and slides have headings of their names. */
export function openDocumentText(xml: string): string {
  const writer = new TextWriter()
  let depth = 0
  const named = (title: string) => {
    writer.open('h2')
    writer.write(title)
    writer.close('h2')
  }
  const tagOf = (name: string, level = '1') =>
    name === 'text:h' ? `h${Math.min(6, Math.max(1, Number(level) || 1))}` : openTags[name]
  const headings: string[] = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'office:body') depth += 1
        if (depth === 0) return
        const title = attributes['table:name'] ?? attributes['draw:name']
        if ((name === 'table:table' || name === 'draw:page') && title) named(title)
        if (name === 'text:s') writer.write(' ')
        if (name === 'text:tab') writer.write('\t')
        const tag = tagOf(name, attributes['text:outline-level'])
        if (name === 'text:h' && tag) headings.push(tag)
        if (tag) writer.open(tag)
      },
      ontext(text) {
        if (depth > 0) writer.write(text)
      },
      onclosetag(name) {
        if (name === 'office:body') depth -= 1
        const tag = name === 'text:h' ? headings.pop() : tagOf(name)
        if (tag && depth > 0) writer.close(tag)
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return writer.text
}
