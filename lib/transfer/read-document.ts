import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import {
  MAX_CHAT_BYTES,
  MAX_CHAT_MESSAGES,
  MAX_CHAT_VALUES,
  MAX_DEPTH,
  reasonOf,
  tooHollow,
  tooLong,
  tooMany,
} from './chat-limits'
import { type ExportProblem, type ForeignChat, UnreadableExportError } from './foreign-chat'
import { chatFormats, gatheredFormats, textFormats } from './formats'
import { mainChatOf } from './formats/apps/sillytavern'
import type { AnyFormat, ChatFormat, GatheredFormat, TextFormat } from './formats/format'
import { parse, whereBroken } from './json/parse-json'
import { type JsonSlice, splitJson, splitLines, takenBytes } from './json/split-json'
import { headOf, inTurns, TURN_BYTES, without } from './json/streams'
import { cleanText, isRecord, type Json, type JsonRecord } from './json/values'
import type { FindEntry } from './parts/files'
import { type Layout, layoutOf, SNIFFED_BYTES } from './sniff'
import { Problems } from './tree/problems'
import { lostWords, SourceTexts, withLost } from './unread/source-texts'

/** Values that are looked at until one is a chat: the first ones of a list may be broken. */
const LOOKED_AT = 50
/** Bytes of a file that are looked through for the place where its JSON is broken. */
const PLACE_BYTES = 4 * 1024 * 1024

/** A JSON file of an export: the file itself, or an entry of its archive. */
export interface ExportDocument {
  /** For sentences. */
  name: string
  /** Without folders and ending. */
  fileName: string
  layout: Layout
  format: AnyFormat
  /** The chat that it is a branch of, where the format has a file for each branch. */
  mainChat: string | null
  open(): Promise<Readable>
}

type Source = Pick<ExportDocument, 'name' | 'open'>

/** The cause of an error about a file that may be an export, but is nothing that is read. */
export const NOT_READ = 'not read'

/**
 * Recognises a file of an export; null: JSON without chats. Throws `UnreadableExportError` for a file that is no
 * JSON, and with the cause `NOT_READ` where nothing in it can be looked at: one chat that is too long, or cut off.
 */
export async function recogniseDocument({ name, open }: Source): Promise<ExportDocument | null> {
  const head = await headOf(await open(), SNIFFED_BYTES)
  const fileName = (name.split('/').at(-1) ?? name).replace(/\.[^.]+$/, '')
  const start = head.toString('utf8')
  const written = textFormats.find((format) => format.recognises(start, name))
  if (written)
    return { name, fileName, layout: { kind: 'text', offset: 0 }, format: written, mainChat: null, open }
  const layout = layoutOf(head, name)
  let looked = 0
  let whyNot: string | undefined
  let isBroken = false
  for await (const slice of slicesOf({ open, layout }, 0)) {
    if (slice.kind !== 'value' && slice.head.length > 0) whyNot ??= reasonOf(slice)
    const value = slice.kind === 'value' ? parse(slice.bytes)?.value : undefined
    isBroken ||= slice.kind === 'value' && value === undefined
    const format = value === undefined ? undefined : formatOf(value)
    // nothing else of the value is kept: an archive may hold many files whose first one is long
    if (format) {
      const mainChat = 'partOf' in format ? (format.partOf?.(value) ?? null) : mainChatOf(value)
      return { name, fileName, layout, format, mainChat, open }
    }
    looked += 1
    if (looked >= LOOKED_AT) break
  }
  if (isBroken) {
    const place = layout.kind === 'json' ? whereBroken(await headOf(await open(), PLACE_BYTES)) : ''
    whyNot ??= `It is not valid JSON${place}. Mend it there, or export it again.`
  }
  if (whyNot) throw new UnreadableExportError(`${name} cannot be read. ${whyNot}`, { cause: NOT_READ })
  return null
}

const formatOf = (value: Json): AnyFormat | undefined =>
  gatheredFormats.find((format) => format.recognises(value)) ?? chatFormatOf(value)

const chatFormatOf = (value: Json): ChatFormat | undefined => {
  const record = asRecord(value)
  return record === null ? undefined : chatFormats.find((format) => format.recognises(record))
}

/** A list of lists of messages is a list of chats. */
const asRecord = (value: Json) =>
  Array.isArray(value) ? { messages: value } : isRecord(value) ? value : null

/** An item that does not know its place among all files yet. */
type PlacedItem = { index: number } & (
  | { chat: ForeignChat; source: string; bytes: number }
  | { problem: ExportProblem }
)

/** The chats of a document from the place `from` on; `tally` counts all that it has. */
export async function* readDocument(
  document: ExportDocument,
  {
    findEntry,
    from,
    tally,
    notes,
    signal,
  }: {
    findEntry: FindEntry
    from: number
    tally: { count: number }
    /** takes problems of the document that belong to none of its chats */
    notes: ExportProblem[]
    signal?: AbortSignal
  },
): AsyncGenerator<PlacedItem> {
  const { format } = document
  const reading = { findEntry, tally, signal, ...(await besideList(document, format)) }
  const items =
    'read' in format
      ? readChats(document, format, { ...reading, from: format.holdsMany ? 0 : from })
      : 'gather' in format
        ? gatherChats(document, format, reading)
        : readWritten(document, format, reading)
  for await (const item of items) if (item.index >= from) yield item
  for (const reason of reading.lostBeside) notes.push({ chat: document.name, reason })
}

interface Reading {
  findEntry: FindEntry
  tally: { count: number }
  signal?: AbortSignal
  beside: JsonRecord
}

/** Bytes around a list of chats that are looked at. */
const MAX_BESIDE = 8 * 1024 * 1024

/** The members of the object around the list of chats that the format reads, and sentences about the others. */
async function besideList(
  { open, layout }: ExportDocument,
  format: AnyFormat,
): Promise<{ beside: JsonRecord; lostBeside: readonly string[] }> {
  if (layout.list === undefined) return { beside: {}, lostBeside: [] }
  const known = format.beside ?? []
  const beside: JsonRecord = {}
  const texts = new SourceTexts(new Set(format.silent))
  const lost: string[] = []
  let bytes = 0
  const stream = await open()
  const limits = { maxBytes: MAX_BESIDE, maxDepth: MAX_DEPTH, maxCount: MAX_CHAT_VALUES, ofMembers: true }
  try {
    for await (const slice of inTurns(splitJson(without(stream, layout.start ?? 0), limits))) {
      if (slice.kind === 'cut' || !slice.member || slice.member.key === layout.list) continue
      const { key, isElement } = slice.member
      bytes += slice.kind === 'value' ? slice.bytes.length : MAX_BESIDE
      if (slice.kind !== 'value' || bytes > MAX_BESIDE) {
        lost.push(`What stands under “${key}” is too long to be looked at. It is not brought.`)
        break
      }
      const value = parse(slice.bytes)?.value
      if (known.includes(key)) {
        const list = beside[key]
        beside[key] = !isElement ? value : Array.isArray(list) ? [...list, value] : [value]
      } else texts.add({ [key]: value })
    }
  } finally {
    stream.destroy()
  }
  return { beside, lostBeside: [...lost, ...lostWords(texts.lostIn([]))] }
}

/** The chats of a file that is no JSON. */
async function* readWritten(
  document: ExportDocument,
  format: TextFormat,
  { tally, ...reading }: Reading,
): AsyncGenerator<PlacedItem> {
  const pieces: Buffer[] = []
  let bytes = 0
  const stream = await document.open()
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MAX_CHAT_BYTES) break
      pieces.push(chunk)
    }
  } finally {
    stream.destroy()
  }
  if (bytes > MAX_CHAT_BYTES) {
    yield { index: tally.count++, problem: { chat: document.name, reason: tooLong } }
    return
  }
  const whole = Buffer.concat(pieces)
  const problems = new Problems()
  if (!isUtf8(whole)) problems.count('repaired text')
  const text = cleanText(whole.toString('utf8').replace(/^\ufeff/, ''))
  const context = { ...reading, problems, fileName: document.fileName, place: 0 }
  for (const chat of format.readText(text, context))
    yield { index: tally.count++, chat, source: format.source, bytes }
}

async function* readChats(
  document: ExportDocument,
  expected: ChatFormat,
  { from, tally, signal, ...reading }: Reading & { from: number },
): AsyncGenerator<PlacedItem> {
  if (!expected.holdsMany) {
    for await (const slice of inTurns(slicesOf(document, from, tally), signal))
      for (const item of await chatsIn(slice, document, expected, reading))
        yield { ...item, index: slice.index }
    return
  }
  for await (const slice of inTurns(slicesOf(document, 0), signal))
    for (const item of await chatsIn(slice, document, expected, reading))
      yield { ...item, index: tally.count++ }
}

type ReadItem = { chat: ForeignChat; source: string; bytes: number } | { problem: ExportProblem }

/**
 * The chats in a value, or its problem. Nothing of the value outlives it: the chat may be long, and is worked on for
 * a while.
 */
async function chatsIn(
  slice: JsonSlice,
  document: ExportDocument,
  expected: ChatFormat,
  { findEntry, beside }: Pick<Reading, 'findEntry' | 'beside'>,
): Promise<ReadItem[]> {
  const { index } = slice
  if (slice.kind !== 'value')
    return [{ problem: { chat: titleOf(slice.head, document, index), reason: reasonOf(slice) } }]
  const bytes = takenBytes(slice)
  const parsed = parse(bytes)
  // a long chat takes as long to read as to parse
  if (bytes.length > TURN_BYTES) await setImmediate()
  const record = parsed ? asRecord(parsed.value) : null
  const format = record && (expected.recognises(record) ? expected : chatFormatOf(record))
  if (!parsed || !record || !format) {
    const reason = parsed
      ? 'The entry is no chat: it has no messages in a form that is known here. It is left out.'
      : `The entry is not valid JSON: it is broken${whereBroken(bytes) || ' further down'}. It is left out.`
    return [{ problem: { chat: titleOf(bytes, document, index), reason } }]
  }
  const problems = new Problems()
  if (parsed.repaired) problems.count('repaired text')
  const { fileName } = document
  const read = format.read(record, { problems, findEntry, fileName, place: index, beside })
  const chats: readonly ForeignChat[] = Array.isArray(read) ? read : [read as ForeignChat]
  const texts = new SourceTexts(new Set(format.silent))
  texts.add(record)
  const lost = texts.lostIn(chats)
  return chats.map((chat, at): ReadItem => {
    const name = chat.title ?? titleOf(bytes, document, index)
    if (chat.messages.length > MAX_CHAT_MESSAGES) return { problem: { chat: name, reason: tooMany } }
    const reason = at === 0 ? halfKnown(chats, lost) : null
    if (reason !== null) return { problem: { chat: name, reason } }
    return {
      chat: at === 0 ? withLost(chat, lost) : chat,
      source: format.source,
      bytes: Math.ceil(bytes.length / chats.length),
    }
  })
}

/** Why chats are refused of which little is understood: a thinned out chat would look like a whole one. */
function halfKnown(chats: readonly ForeignChat[], lost: ReadonlyMap<string, number>): string | null {
  const held = chats.reduce(
    (sum, { messages }) => sum + messages.reduce((some, message) => some + message.held, 0),
    0,
  )
  const found = chats.reduce((sum, { counts }) => sum + counts.found, 0)
  const texts = [...lost.values()].reduce((sum, count) => sum + count, 0)
  if (held * 2 >= found || texts <= held) return null
  const many = (count: number) => count.toLocaleString('en')
  return `The form of this chat is known in part only: of ${many(found)} messages ${many(held)} could be read. It is left out, so that nothing looks whole that is not.`
}

async function* gatherChats(
  document: ExportDocument,
  format: GatheredFormat,
  { findEntry, tally, signal, beside }: Reading,
): AsyncGenerator<PlacedItem> {
  const gatherer = format.gather({ findEntry, fileName: document.fileName, place: 0, beside })
  const silent = new Set(format.silent)
  let texts = new SourceTexts(silent)
  let broken = 0
  /** messages since the last chat ended, and the values that they are made of */
  let [messages, values] = [0, 0]
  for await (const slice of inTurns(slicesOf(document, 0), signal)) {
    const parsed = slice.kind === 'value' ? parse(slice.bytes) : null
    if (slice.kind !== 'value') gatherer.problems.say(reasonOf(slice))
    else if (!parsed) broken += 1
    else {
      if (parsed.repaired) gatherer.problems.count('repaired text')
      const held = gatherer.held
      const chat = gatherer.add(parsed.value, slice.bytes.length)
      const before = texts
      if (chat) texts = new SourceTexts(silent)
      if (!format.isAside?.(parsed.value)) texts.add(parsed.value)
      messages = chat ? 1 : messages + 1
      values = chat ? slice.count : values + slice.count
      if (chat)
        yield {
          index: tally.count++,
          chat: withLost(chat, before.lostIn([chat])),
          source: format.source,
          bytes: held,
        }
    }
    const reason =
      gatherer.held > MAX_CHAT_BYTES
        ? tooLong
        : messages > MAX_CHAT_MESSAGES
          ? tooMany
          : values > MAX_CHAT_VALUES
            ? tooHollow
            : undefined
    if (reason) {
      yield { index: tally.count++, problem: { chat: document.name, reason } }
      return
    }
  }
  if (broken > 0)
    gatherer.problems.say(
      `${broken === 1 ? '1 entry is' : `${broken} entries are`} not valid JSON and left out.`,
    )
  const bytes = gatherer.held
  const chats = gatherer.end()
  const lost = texts.lostIn(chats)
  const reason = halfKnown(chats, lost)
  if (reason !== null) {
    yield { index: tally.count++, problem: { chat: chats[0]?.title ?? document.name, reason } }
    return
  }
  for (const [at, chat] of chats.entries())
    yield {
      index: tally.count++,
      chat: at === 0 ? withLost(chat, lost) : chat,
      source: format.source,
      bytes: Math.ceil(bytes / chats.length),
    }
}

/** All values of a small document, and their length; null when they are longer or more than a chat may have. */
export async function valuesOf(
  document: ExportDocument,
  signal?: AbortSignal,
): Promise<{ values: Json[]; bytes: number; count: number } | null> {
  const values: Json[] = []
  let [bytes, count] = [0, 0]
  for await (const slice of inTurns(slicesOf(document, 0), signal)) {
    if (slice.kind !== 'value') continue
    bytes += slice.bytes.length
    count += slice.count
    const isWithin = bytes <= MAX_CHAT_BYTES && count <= MAX_CHAT_VALUES && values.length < MAX_CHAT_MESSAGES
    if (!isWithin) return null
    values.push(parse(slice.bytes)?.value ?? null)
  }
  return { values, bytes, count }
}

async function* slicesOf(
  { open, layout }: Pick<ExportDocument, 'open' | 'layout'>,
  from: number,
  tally?: { count: number },
): AsyncGenerator<JsonSlice> {
  const stream = await open()
  const split = layout.kind === 'lines' ? splitLines : splitJson
  try {
    yield* split(without(stream, layout.offset), {
      from,
      tally,
      maxBytes: MAX_CHAT_BYTES,
      maxDepth: MAX_DEPTH,
      maxCount: MAX_CHAT_VALUES,
      endsWithList: layout.list !== undefined || layout.isPage === true,
    })
  } finally {
    stream.destroy()
  }
}

/** The title of a chat that is not read, by its beginning. */
function titleOf(head: Buffer, { name }: ExportDocument, index: number): string {
  const found = /"(?:title|name)"\s*:\s*("(?:[^"\\]|\\.){1,200}")/.exec(head.toString('utf8', 0, 4096))
  const title = found?.[1] ? parse(Buffer.from(found[1]))?.value : undefined
  return typeof title === 'string' && title.trim() !== '' ? cleanText(title) : `Chat ${index + 1} of ${name}`
}
