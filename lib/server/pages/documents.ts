import 'server-only'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

/** The documents in the order of their list, in the groups of the README. Each name is a file of `docs` and a page below `/docs`. */
const groups = [
  {
    title: 'Use',
    names: [
      'features',
      'models',
      'providers',
      'files-and-tools',
      'import-and-export',
      'sharing',
      'remotes',
      'cli',
    ],
  },
  { title: 'Run', names: ['install', 'self-host', 'growth', 'security', 'limits', 'backup'] },
  { title: 'Build', names: ['architecture', 'engine', 'http-api', 'agents-and-mcp'] },
] as const

export const documentNames: readonly string[] = groups.flatMap(({ names }) => names)

export interface DocumentPage {
  name: string
  title: string
  /** comes from a file of this repository, so it is trusted */
  html: string
  headings: { id: string; title: string }[]
}

/** A section that holds all words of a search. */
export interface DocumentHit {
  /** the page and the place on it */
  address: string
  document: string
  /** undefined for the text before the first heading */
  heading: string | undefined
  /** the words around the first match */
  excerpt: string
}

export interface DocumentList {
  title: string
  documents: { name: string; title: string }[]
}

/** The documents by group, for a list of links. */
export const listDocuments = (): DocumentList[] =>
  groups.map(({ title, names }) => ({
    title,
    documents: names.map((name) => ({ name, title: titleOf(sourceOf(name)) })),
  }))

/** A document as HTML; undefined for a name that none has. */
export function readDocument(name: string): DocumentPage | undefined {
  if (!documentNames.includes(name)) return undefined
  const source = sourceOf(name)
  const html = micromark(source.replace(/^# .*\n/, ''), {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
  })
  const headings: DocumentPage['headings'] = []
  const placed = html
    .replaceAll(/<h([23])>(.*?)<\/h\1>/g, (_all, level: string, inner: string) => {
      const title = plainText(inner)
      const id = anchorOf(title)
      if (level === '2') headings.push({ id, title })
      return `<h${level} id="${id}">${inner}</h${level}>`
    })
    .replaceAll(/<a href="([^"]*)">(.*?)<\/a>/g, (_all, href: string, inner: string) => {
      const to = addressOf(href)
      return to === undefined ? inner : `<a href="${to}">${inner}</a>`
    })
    .replaceAll(
      '<table>',
      '<div class="overflow-x-auto" tabindex="0" role="region" aria-label="Table"><table>',
    )
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
  return { name, title: titleOf(source), html: placed, headings }
}

/** Maximum number of hits: a longer list calls for another word. */
const MOST = 30

/** The sections that hold all of some words, in any case, in the order of the list. */
export function searchDocuments(query: string): DocumentHit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return documentNames
    .flatMap((name) => {
      const source = sourceOf(name)
      const document = titleOf(source)
      return source.split(/^(?=#{1,3} )/m).map((section) => ({ name, document, section }))
    })
    .flatMap(({ name, document, section }): DocumentHit[] => {
      const [, marks = '', heading = ''] = /^(#{1,3}) (.*)\n/.exec(section) ?? []
      const text = plainText(section.replace(/^#.*\n/, '')).replaceAll(/\s+/g, ' ')
      const searched = `${document} ${heading} ${text}`.toLowerCase()
      if (!words.every((word) => searched.includes(word))) return []
      const isTop = marks.length < 2
      return [
        {
          address: isTop ? `/docs/${name}` : `/docs/${name}#${anchorOf(heading)}`,
          document,
          heading: isTop ? undefined : heading,
          excerpt: excerptOf(text, words),
        },
      ]
    })
    .slice(0, MOST)
}

/** Characters of an excerpt. */
const EXCERPT = 200

function excerptOf(text: string, words: readonly string[]): string {
  const at = words.map((word) => text.toLowerCase().indexOf(word)).find((place) => place >= 0) ?? 0
  const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, at - EXCERPT / 3)))
  const part = text.slice(from, from + EXCERPT).trim()
  return `${from > 0 ? '…' : ''}${part}${from + EXCERPT < text.length ? '…' : ''}`
}

/** The texts of the files, each read once: they do not change while a server runs. */
const sources = new Map<string, string>()

function sourceOf(name: string): string {
  const known = sources.get(name)
  if (known !== undefined) return known
  const source = readFileSync(path.join(process.cwd(), 'docs', `${name}.md`), 'utf8')
  sources.set(name, source)
  return source
}

const titleOf = (source: string): string => /^# (.*)$/m.exec(source)?.[1] ?? ''

/** A text without the marks of Markdown and HTML. */
const plainText = (text: string): string =>
  text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]|^-{3,}$|-{3,}/gm, ' ')
    .trim()

/** The anchor of a heading, as GitHub makes it: links of the files lead to the same place in both. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-')

/** The address of a link of a file; undefined for a file of the repository that the server does not show. */
function addressOf(href: string): string | undefined {
  const [, name, hash = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (name !== undefined) return `/docs/${name}${hash}`
  if (href.startsWith('../README.md')) return '/docs'
  return href.startsWith('../') ? undefined : href
}
