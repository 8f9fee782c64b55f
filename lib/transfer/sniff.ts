import { UnreadableExportError } from './foreign-chat'

/** Bytes of a file that are looked at to see what it is. */
export const SNIFFED_BYTES = 256 * 1024

/** Layout of the values in a file. */
export interface Layout {
  /** In an array or one after another; or one in each line. `text`: it is no JSON. */
  kind: 'json' | 'lines' | 'text'
  /** Bytes before the first: a byte order mark, or the text before the list of chats. */
  offset: number
  /** The list of chats stands in an object under this key; the object begins at `start`. */
  list?: string
  start?: number
  /** The list of chats stands in a page, with the program that shows them behind it. */
  isPage?: true
}

/** Keys of an object whose list is the chats. */
const lists: ReadonlySet<string> = new Set(['conversations', 'chats', 'threads', 'history', 'states', 'data'])

export const isZip = (head: Buffer) =>
  head.length >= 4 && head[0] === 0x50 && head[1] === 0x4b && [0x03, 0x05, 0x07].includes(head[2] ?? 0)

/**
 * Tells the layout of a file that is no zip.
 *
 * @throws UnreadableExportError with what the file is instead of JSON
 */
export function layoutOf(head: Buffer, name: string): Layout {
  const isMarked = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf
  const offset = isMarked ? 3 : 0
  const text = head.toString('utf8', offset)
  const first = text.trimStart()[0]
  if (first === undefined) throw new UnreadableExportError(`${name} is empty. Download the export again.`)
  const page = /<script[^<>]*>\s*var jsonData\s*=\s*(?=\[\s*\{)/.exec(text)
  if (page) {
    const before = Buffer.byteLength(text.slice(0, page.index + page[0].length))
    return { kind: 'json', offset: offset + before, isPage: true }
  }
  if (first !== '[' && first !== '{')
    throw new UnreadableExportError(`${name} ${otherThanJson(head, text, name)}`)
  if (isLines(text)) return { kind: 'lines', offset }
  if (first === '[') return { kind: 'json', offset }
  const list = listIn(text)
  if (list !== null) {
    const before = Buffer.byteLength(text.slice(0, list.at))
    return { kind: 'json', offset: offset + before, list: list.key, start: offset }
  }
  return { kind: 'json', offset }
}

function otherThanJson(head: Buffer, text: string, name: string): string {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff))
    return 'is saved as UTF-16. Save it as UTF-8, or choose the file as it was exported.'
  if (head[0] === 0x1f && head[1] === 0x8b) return 'is packed with gzip. Unpack it and choose the file in it.'
  if (text.startsWith('SQLite format 3'))
    return 'is a database (SQLite), which is not read. Export its chats as JSON: the program llm does it with “llm logs --json -n 0 > logs.json”.'
  if (text.startsWith('%PDF'))
    return 'is a PDF, which holds no branches. Choose the JSON file or the zip of the export.'
  if (/^\s*</.test(text)) {
    return /chat\.html$/i.test(name) || text.includes('jsonData')
      ? 'is the chat.html of the export, a page to read. Choose the conversations.json beside it, or the zip.'
      : 'is a page (HTML or XML). Choose the JSON file or the zip of the export.'
  }
  return 'is not JSON. Choose the file that the other program exported: a .json or .jsonl file, or its zip.'
}

/** True: the first line is a whole value and another follows. */
function isLines(text: string): boolean {
  const begun = text.trimStart()
  const end = begun.indexOf('\n')
  if (end === -1 || begun.slice(end).trim() === '') return false
  try {
    JSON.parse(begun.slice(0, end))
    return true
  } catch {
    return false
  }
}

/** A string, or a sign that opens or closes. A string that does not end is passed over: looked for from each of its quotes, its end would take minutes. */
const token = /"((?:[^"\\]|\\.)*)(?:"|\\?$)|[{}[\]]/gs

/** Keys that messages have and chats have not. */
const ofMessages: ReadonlySet<string> = new Set(['role', 'from', 'sender', 'message'])

/** True: the first entry of a list is a message, or a question with its reply. */
function holdsMessages(list: string): boolean {
  let depth = 0
  let around = ''
  for (const match of list.matchAll(token)) {
    const [whole, string] = match
    const end = match.index + whole.length
    if (string === undefined) {
      depth += whole === '{' || whole === '[' ? 1 : -1
      if (depth < 2 && whole !== '[') return false
      if (depth === 2 && (whole === '{' || whole === '[')) around = whole
    } else if (depth === 2) {
      const isKey = /^\s*:/.test(list.slice(end, end + 20))
      if (around === '[' || (isKey && ofMessages.has(string))) return true
    }
  }
  return false
}

/** The list of chats that an object at the top holds: its key and its beginning; null: it holds none, or only further down. */
function listIn(text: string): { key: string; at: number } | null {
  let depth = 0
  let key = ''
  for (const match of text.matchAll(token)) {
    const [whole, string] = match
    if (string !== undefined) {
      if (depth === 1) key = string
    } else if (whole === '{' || whole === '[') {
      const isList = whole === '[' && depth === 1
      // an object with messages is a chat, whatever its lists are called
      if (isList && (key === 'messages' || (lists.has(key) && holdsMessages(text.slice(match.index)))))
        return null
      if (isList && lists.has(key)) return { key, at: match.index }
      depth += 1
    } else {
      depth -= 1
      if (depth === 0) return null
    }
  }
  return null
}
