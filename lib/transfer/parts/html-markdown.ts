import { codeFence } from './read-blocks'

/** Elements that are open at once: deeper ones are passed over, and their words stay. */
const MAX_DEPTH = 100

interface Open {
  tag: string
  attributes: string
  text: string
  /** Items of a list so far, rows of a table. */
  count: number
}

/**
 * HTML of a reply as the Markdown that it was made of. Elements that Markdown has no mark for leave their words.
 *
 * @example markdownOf('<p>It is <b>noon</b>.</p>').text // 'It is **noon**.'
 */
export function markdownOf(html: string): { text: string; pictures: string[] } {
  const open: Open[] = [{ tag: '', attributes: '', text: '', count: 0 }]
  const pictures: string[] = []
  let preformatted = 0
  const top = () => open.at(-1) as Open
  const close = () => {
    const done = open.pop() as Open
    if (done.tag === 'pre') preformatted -= 1
    top().text += written(done, open)
  }
  for (const [whole, slash, name, attributes = ''] of withoutComments(html).matchAll(piece)) {
    const tag = name?.toLowerCase()
    if (tag === undefined) {
      const words = unescapeHtml(whole)
      top().text += preformatted > 0 ? words : words.replace(/[ \t\r\n]+/g, ' ')
    } else if (tag === 'br') top().text += '\n'
    else if (tag === 'hr') top().text += '\n\n---\n\n'
    else if (tag === 'img') {
      const source = attributeOf(attributes, 'src')
      if (/^https?:/.test(source)) top().text += `![${attributeOf(attributes, 'alt')}](${source})`
      else if (source !== '') pictures.push(source)
    } else if (slash === '/') {
      const at = open.findLastIndex((element) => element.tag === tag)
      if (at > 0) while (open.length > at) close()
    } else if (!unseen.has(tag) && open.length <= MAX_DEPTH) {
      if (tag === 'pre') preformatted += 1
      if (tag === 'li' || tag === 'tr') top().count += 1
      open.push({ tag, attributes, text: '', count: 0 })
    }
  }
  while (open.length > 1) close()
  const lines = top().text.split('\n')
  const text = lines.map((line) => line.trimEnd()).join('\n')
  return { text: text.replace(/\n{3,}/g, '\n\n').trim(), pictures }
}

/** A tag, or the text between two. */
const piece = /<(\/?)([a-zA-Z][\w-]*)([^<>]*)>|[^<]+|</g
/** Elements without an end, or that only hold others together. */
const unseen: ReadonlySet<string> = new Set([
  'wbr',
  'input',
  'source',
  'col',
  'meta',
  'link',
  'tbody',
  'thead',
])

const marks: Readonly<Record<string, string>> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  del: '~~',
  s: '~~',
}

/** The Markdown of an element that ends inside of the others. */
function written({ tag, attributes, text, count }: Open, around: readonly Open[]): string {
  const mark = marks[tag]
  const inner = text.trim()
  const parent = around.at(-1)
  if (mark) return inner === '' ? text : text.replace(inner, () => `${mark}${inner}${mark}`)
  if (/^h[1-6]$/.test(tag)) return `\n\n${'#'.repeat(Number(tag[1]))} ${inner}\n\n`
  if (tag === 'pre') return `\n\n${codeFence(text.replace(/\n$/, ''))}\n\n`
  if (tag === 'code')
    return around.some((element) => element.tag === 'pre') || inner === '' ? text : `\`${text}\``
  if (tag === 'a') {
    const address = attributeOf(attributes, 'href')
    return /^(?:https?|mailto):/.test(address) && inner !== '' ? `[${inner}](${address})` : text
  }
  if (tag === 'blockquote') return `\n\n${inner.replace(/\n{3,}/g, '\n\n').replace(/^/gm, '> ')}\n\n`
  if (tag === 'ul' || tag === 'ol')
    return around.some((element) => element.tag === 'li') ? `\n${text.trimEnd()}` : `\n\n${inner}\n\n`
  if (tag === 'li') {
    const sign = parent?.tag === 'ol' ? `${parent.count}. ` : '- '
    return `\n${sign}${inner.replace(/\n{2,}/g, '\n').replace(/\n/g, `\n${' '.repeat(sign.length)}`)}`
  }
  if (tag === 'td' || tag === 'th') return `${inner.replace(/\|/g, '\\|').replace(/\s+/g, ' ')} | `
  if (tag === 'tr') {
    const columns = text.split(/(?<!\\)\| /).length - 1
    return `\n| ${inner}${parent?.count === 1 ? `\n|${' --- |'.repeat(columns)}` : ''}`
  }
  if (tag === 'style' || tag === 'script') return ''
  if (['p', 'div', 'table', 'section', 'article'].includes(tag)) return `\n\n${inner}\n\n`
  return count === 0 ? text : `${text}\n`
}

/** Ends with the first comment that does not. */
function withoutComments(html: string): string {
  const [begin = '', ...rest] = html.split('<!--')
  return (
    begin + rest.map((after) => (after.includes('-->') ? after.slice(after.indexOf('-->') + 3) : '')).join('')
  )
}

const attributeOf = (attributes: string, name: string): string => {
  const found = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes)
  return unescapeHtml(found?.[1] ?? found?.[2] ?? found?.[3] ?? '')
}

const entities: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  amp: '&',
  nbsp: '\u00a0',
  emsp: '\u2003',
  ensp: '\u2002',
  hellip: '…',
  mdash: '—',
  ndash: '–',
}

/** A text without the entities of HTML; an unknown entity stays. */
export const unescapeHtml = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
