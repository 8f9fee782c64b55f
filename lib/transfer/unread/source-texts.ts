import type { ForeignChat } from '../foreign-chat'
import { isRecord, type Json, maybeJson } from '../json/values'
import { WordFilter } from './word-filter'

/** Keys whose texts are words of a speaker, however short. */
const speaks =
  /^(?:content|contents|text|texts|message|body|msg|mes|answer|response|reply|prompt|query|question|output|result|thought|thoughts|thinking|reasoning|reasoning_content|summary|description|caption|title|instructions|system|system_prompt|preprompt|prefix|html|markdown|code|transcript|note|notes|quote|snippet|value)$/i

/** The same at the end of a longer key: `userTitle`, `thread_title`. */
const speaksAtEnd =
  /(?:Title|Text|Content|Message|Prompt|Answer|Query|Description|Summary|Instructions)$|_(?:title|text|content|message|prompt|answer|query|description|summary|instructions)$/

/** Keys whose texts are the program's own bookkeeping: ids, kinds, times, pictures of its page. */
const bookkeeping =
  /^(?:_?ids?|uuid|guid|hash|sha\d*|etag|type|kind|role|status|state|mode|models?|slug|version|locale|lang|language|mime|mimetype|format|timezone|avatar|icon|favicon|thumbnail|color|emoji|user|email|cwd|object|endpoint|signature)$|(?:^|_)date$|[a-z]Date$|(?:[a-z]Id|_id|Ids|_ids|Uuid|_uuid|At|_at|Time|_time|Type|_type|Hash|_hash|Token|_token|Model|_model|Version|_version|Slug|_slug|Signature|_signature|Avatar|_avatar)$/

/** Keys whose addresses are sources. */
const addresses = /^(?:urls?|links?|href|uri|sources?)$/i

/** A word that no person writes: an id, a time, a name of a constant. */
const isCode = (text: string) =>
  /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|\d{4}-\d\d-\d\d[T ][\d:.+Z-]+|[\d.,:+-]+|[a-z]+(?:_[a-z\d]+)+)$/i.test(
    text,
  )

/** A key that is the id of a record. */
const isIdName = /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|\d+)$/i
const isUsual = /^[\w-]{1,40}$/
/** A long text is looked at by its beginning: bytes of a file have no words. */
const LOOKED_AT = 4096

/** True: a person would miss this text under this key. */
function isContent(key: string, text: string): boolean {
  const said = text.trim()
  if (said === '' || bookkeeping.test(key) || isCode(said)) return false
  if (/^https?:\/\/\S+$/.test(said)) return addresses.test(key)
  if (speaks.test(key) || speaksAtEnd.test(key)) return true
  const head = said.slice(0, LOOKED_AT)
  return head.length >= 200 || /\S\s+\S+\s+\S/.test(head) || /[\u3040-\u9fff\uac00-\ud7af]{4}/.test(head)
}

/** Texts that are remembered of one chat: a source of more is looked at by its first ones. */
const MAX_TEXTS = 200_000

/**
 * The texts of a chat as its file has them, with the keys they stand under. Comparing them with the finished chat
 * finds texts that a reader did not understand: a text that stands in no part of the chat is lost, and the report
 * says so. It is no matter in which form a text is kept: as words, as an argument of a tool, or without the marks
 * around it.
 */
export class SourceTexts {
  readonly #keyOf = new Map<string, string>()

  /** @param silent keys that hold nothing of the conversation in this format: `settings`, or `metadata.usage` */
  constructor(private readonly silent: ReadonlySet<string> = new Set()) {}

  add(source: Json): void {
    /** Values that are still to be looked at, the key of each and the key above it. */
    const waiting: [value: Json, key: string, above: string][] = [[source, '', '']]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [value, key, above] = next
      if (typeof value === 'string') this.#take(value, key, above)
      else if (Array.isArray(value)) for (const item of value) waiting.push([item, key, above])
      else if (isRecord(value)) {
        for (const [name, item] of Object.entries(value)) {
          if (item === null || typeof item === 'number' || typeof item === 'boolean') continue
          // records by id are a list
          const isId = isIdName.test(name) || !isUsual.test(name)
          const [own, around] = isId ? [key, above] : [name, key]
          if (this.silent.has(own) || this.silent.has(`${around}.${own}`)) continue
          waiting.push([item, own, around])
        }
      }
    }
  }

  #take(text: string, key: string, above: string): void {
    if (this.#keyOf.size >= MAX_TEXTS || this.#keyOf.has(text) || !isContent(key, text)) return
    this.#keyOf.set(text, above === '' ? key : `${above}.${key}`)
  }

  /** Counts the texts that no part of the chats holds, by their keys. */
  lostIn(chats: readonly ForeignChat[]): Map<string, number> {
    const lost = new Map<string, number>()
    const stored = new Set<string>()
    for (const chat of chats) for (const text of textsOf(chat)) stored.add(text)
    let words: WordFilter | undefined
    for (const [text, key] of this.#keyOf) {
      if (stored.has(text) || stored.has(text.trim())) continue
      words ??= new WordFilter(stored)
      if (words.holds(text) || holdsInside(words, text)) continue
      lost.set(key, (lost.get(key) ?? 0) + 1)
    }
    return lost
  }
}

/** JSON in a text is kept as the value that it is. */
function holdsInside(words: WordFilter, text: string): boolean {
  const value = maybeJson(text)
  if (typeof value !== 'object' || value === null) return false
  for (const inner of stringsIn(value, 'values')) if (!words.holds(inner)) return false
  return true
}

/** All texts that are kept of a chat. */
function* textsOf(chat: ForeignChat): Generator<string> {
  const { title, instructions, origin, tags, branches } = chat
  yield* stringsIn([title, instructions, origin, tags, branches.map(({ name }) => name)])
  for (const { parts, model, speaker } of chat.messages) {
    yield* stringsIn([parts, model, speaker])
    for (const part of parts) {
      // the text that a program has read out of a file
      if (part.type === 'file' && 'base64' in part.content && part.mediaType.startsWith('text/'))
        yield Buffer.from(part.content.base64, 'base64').toString('utf8')
    }
  }
}

function* stringsIn(value: Json, which: 'all' | 'values' = 'all'): Generator<string> {
  const waiting: Json[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string') yield next
    else if (Array.isArray(next)) for (const item of next) waiting.push(item)
    else if (isRecord(next)) {
      for (const [key, item] of Object.entries(next)) {
        if (which === 'all') yield key
        waiting.push(item)
      }
    }
  }
}

/** Keys that are named of one chat. */
const NAMED = 6

/** Sentences about texts that were not brought, one for each key. */
export function lostWords(lost: ReadonlyMap<string, number>): string[] {
  const most = [...lost].toSorted(([, one], [, other]) => other - one)
  const named = most.slice(0, NAMED).map(([key, count]) => {
    const texts = count === 1 ? '1 text' : `${count.toLocaleString('en')} texts`
    const are = count === 1 ? 'is' : 'are'
    return `${texts} under “${key || 'the file itself'}” ${are} not brought: this field is not known here.`
  })
  if (most.length <= NAMED) return named
  const rest = most.slice(NAMED).reduce((sum, [, count]) => sum + count, 0)
  return [
    ...named,
    `${rest.toLocaleString('en')} texts under ${most.length - NAMED} other fields are not brought either.`,
  ]
}

/** A chat with the problem of the parts of its file that were not brought. */
export const withLost = (chat: ForeignChat, lost: ReadonlyMap<string, number>): ForeignChat =>
  lost.size === 0 ? chat : { ...chat, problems: [...chat.problems, ...lostWords(lost)] }
