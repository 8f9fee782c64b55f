import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { type Archive, openArchive } from './archive'
import { MAX_CHAT_BYTES, MAX_CHAT_MESSAGES, MAX_CHAT_VALUES } from './chat-limits'
import { BeyondPartError, type FilePart } from './file-part'
import { entryFinder } from './find-entry'
import { type ExportItem, type ExportProblem, type OpenExport, UnreadableExportError } from './foreign-chat'
import { programs } from './formats'
import { joinFiles, sillytavern } from './formats/apps/sillytavern'
import { isRecord } from './json/values'
import type { FindEntry } from './parts/files'
import { type ExportDocument, NOT_READ, readDocument, recogniseDocument, valuesOf } from './read-document'
import { isZip } from './sniff'
import { Problems } from './tree/problems'
import { SourceTexts, withLost } from './unread/source-texts'

const CHUNK_BYTES = 256 * 1024

/**
 * Opens an export of another program, which is known by its content: a JSON file, JSON lines, or a zip of them. It is
 * read chat by chat in the memory that the longest of them needs.
 *
 * @param path of the file on disk, which stays as it is until `close`
 * @param options.name its name as it was uploaded, for sentences and for chats without a title
 * @param options.part the part of the file at the path, where that is not all of it
 * @throws UnreadableExportError; BeyondPartError where nothing of a part can be read
 */
export async function openExport(
  path: string,
  { name, part, signal }: { name: string; part?: FilePart; signal?: AbortSignal },
): Promise<OpenExport> {
  // the part of a zip need not begin where the zip does
  if ((part?.from ?? 0) === 0 && !isZip(await firstBytes(path))) {
    const end = part === undefined ? undefined : part.length - 1
    const stream = async () => createReadStream(path, { highWaterMark: CHUNK_BYTES, signal, end })
    const document = await recogniseDocument({ name, open: stream }).catch((error: unknown) => {
      throw part && error instanceof UnreadableExportError && error.cause === NOT_READ
        ? new BeyondPartError(error.message)
        : error
    })
    if (!document) throw new UnreadableExportError(noChats(name))
    return openDocuments([[document]], { signal })
  }
  const archive = await openArchive(path, name, part)
  try {
    const { documents, unread } = await documentsIn(archive, name)
    return openDocuments(inGroups(documents), { archive: { ...archive, name, unread }, signal })
  } catch (error) {
    archive.close()
    throw error
  }
}

const noChats = (name: string) =>
  `${name} holds no chats in a form that is known here. Exports of ${programs} can be imported.`

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const byNumbers = new Intl.Collator('en', { numeric: true })

/** An entry of an archive that should hold chats, and why it is not read. */
interface UnreadEntry {
  entry: string
  /** Null: it is JSON without chats. */
  reason: string | null
}

/**
 * Names of files that may be exports and are no JSON, or have no ending; a file that is no export is a file beside
 * the chats.
 */
const written = /(?:\.(?:md|markdown|html?|csv|txt)|(?:^|\/)[^./]+)$/i

/** The files of an archive that hold chats, in the order of their names with numbers in the order of numbers. */
async function documentsIn(
  archive: Archive,
  name: string,
): Promise<{ documents: ExportDocument[]; unread: UnreadEntry[] }> {
  const candidates = archive.names
    .filter((entry) => /\.jsonl?$/i.test(entry) || written.test(entry))
    .toSorted(byNumbers.compare)
  const wanted = candidates.filter((entry) => archive.part?.holds(entry) ?? true)
  const documents: ExportDocument[] = []
  const unread: UnreadEntry[] = []
  let failed: UnreadableExportError | undefined
  for (const entry of wanted) {
    const open = async () => (await archive.open(entry)) as Readable
    const document = await recogniseDocument({ name: entry, open }).catch((error: unknown) => {
      // a zip that cannot be read has nothing beside it
      if (
        !(error instanceof UnreadableExportError) ||
        (error.cause !== NOT_READ && error.cause !== undefined)
      )
        throw error
      if (!written.test(entry)) unread.push({ entry, reason: error.message })
      if (error.cause === NOT_READ) failed ??= error
      return undefined
    })
    if (document) documents.push(document)
    else if (document === null && !written.test(entry)) unread.push({ entry, reason: null })
  }
  // the page of an export shows the chats of the JSON beside it
  const files = documents.filter(({ layout }) => !layout.isPage)
  if (files.length > 0) return { documents: files, unread }
  if (documents.length > 0) return { documents, unread }
  if (archive.part && (failed || candidates.length > wanted.length)) {
    const { placeOf, holds } = archive.part
    const [largest] = candidates
      .filter((entry) => !holds(entry) && !written.test(entry))
      .map(placeOf)
      .toSorted((one, other) => other.size - one.size)
    throw new BeyondPartError(`The part of ${name} holds no whole chat.`, largest?.at)
  }
  if (failed) throw failed
  const [inner] = archive.names.filter((entry) => /\.zip$/i.test(entry))
  if (inner)
    throw new UnreadableExportError(`${name} holds another zip (${inner}). Unpack it and choose that one.`)
  if (wanted.length > 0) throw new UnreadableExportError(noChats(name))
  throw new UnreadableExportError(
    `${name} holds no JSON file. Choose the zip that the other program exported.`,
  )
}

/** Names that are listed of files that are left over. */
const NAMED = 10

/**
 * Sentences about the files of an archive that were not brought: each unreadable file has its own, the others have
 * one together.
 */
function leftInArchive(
  { name, unread }: { name: string; unread: readonly UnreadEntry[] },
  rest: readonly string[],
): ExportProblem[] {
  const told = new Set(unread.map(({ entry }) => entry))
  const zips = rest.filter((entry) => /\.zip$/i.test(entry))
  const others = rest.filter((entry) => !told.has(entry) && !zips.includes(entry))
  const without = unread.flatMap(({ entry, reason }) => (reason === null ? [entry] : []))
  const problems = unread.flatMap(({ entry, reason }) => (reason === null ? [] : [{ chat: entry, reason }]))
  const left = (entries: readonly string[], one: string, several: string) => {
    if (entries.length === 0) return []
    const names = entries.slice(0, NAMED).join(', ')
    const more = entries.length > NAMED ? ` and ${(entries.length - NAMED).toLocaleString('en')} more` : ''
    const are = entries.length === 1 ? '1 file is' : `${entries.length.toLocaleString('en')} files are`
    const why = entries.length === 1 ? one : several
    return [{ chat: name, reason: `${are} not brought, because ${why}: ${names}${more}.` }]
  }
  return [
    ...problems,
    ...left(
      without,
      'it holds no chats in a form that is known here',
      'they hold no chats in a form that is known here',
    ),
    ...left(zips, 'it is a zip, which is read by itself', 'they are zips, which are read by themselves'),
    ...left(others, 'no message names it', 'no message names them'),
  ]
}

/** The id that ends the name of a session's file. */
const sessionIn = (fileName: string): string =>
  /(?:^|[_-])([0-9a-f]{8}-[0-9a-f-]{27}|ses_\w+)$/.exec(fileName)?.[1] ?? fileName

/** Documents one by one, but files that are branches of one chat, or sub-agents of one session, together, that one first. */
export function inGroups(documents: readonly ExportDocument[]): ExportDocument[][] {
  /** Chats of SillyTavern are named within their folder; sessions have ids. */
  const placeOf = ({ format, name }: ExportDocument) =>
    format === sillytavern ? name.slice(0, name.lastIndexOf('/') + 1) : `${format.source} `
  const isJoined = ({ format }: ExportDocument) => format === sillytavern || 'partOf' in format
  const nameOf = (document: ExportDocument) =>
    document.format === sillytavern ? document.fileName : sessionIn(document.fileName)
  const byName = new Map(
    documents.filter(isJoined).map((document) => [placeOf(document) + nameOf(document), document]),
  )
  const mainOf = (document: ExportDocument): ExportDocument => {
    const seen = new Set<ExportDocument>()
    let at = document
    for (;;) {
      seen.add(at)
      const above = at.mainChat === null ? undefined : byName.get(placeOf(at) + at.mainChat)
      if (!above) return at
      // files that name each other: any of them, but always the same
      if (seen.has(above)) return [...seen].reduce((one, other) => (one.name < other.name ? one : other))
      at = above
    }
  }
  const groups = Map.groupBy(documents, (document) => (isJoined(document) ? mainOf(document) : document))
  return [...groups].map(([main, members]) => [main, ...members.filter((member) => member !== main)])
}

/** Documents as one export, the documents of a group as one chat. */
export function openDocuments(
  groups: readonly ExportDocument[][],
  {
    archive,
    signal,
  }: { archive?: Archive & { name: string; unread: readonly UnreadEntry[] }; signal?: AbortSignal },
): OpenExport {
  const source = groups[0]?.[0]?.format.source ?? 'messages'
  const find = entryFinder(archive?.names ?? [])
  async function* chats(
    from: number,
    used: Set<string>,
    notes: ExportProblem[],
  ): AsyncGenerator<ExportItem, number> {
    let base = 0
    const findEntry: FindEntry = (names) => {
      const entry = find(names)
      if (entry !== null) used.add(entry)
      return entry
    }
    for (const [first, ...others] of groups) {
      if (!first) continue
      if (others.length > 0 && first.format === sillytavern) {
        if (base >= from) yield { place: base, ...(await joined([first, ...others], { findEntry, signal })) }
        base += 1
        continue
      }
      const tally = { count: 0 }
      for await (const { index, ...item } of readDocument(inOneFile(first, others), {
        findEntry,
        from: Math.max(0, from - base),
        tally,
        notes,
        signal,
      })) {
        yield { place: base + index, ...item }
      }
      base += tally.count
    }
    return base
  }
  async function* items(from = 0): AsyncGenerator<ExportItem> {
    const used = new Set(groups.flat().map(({ name }) => name))
    const notes: ExportProblem[] = []
    const place = yield* chats(from, used, notes)
    if (archive) {
      const rest = () => archive.names.filter((entry) => !used.has(entry))
      // files of the chats that were read before this began
      if (from > 0 && rest().length > archive.unread.length)
        for await (const item of chats(0, used, [])) if (item.place >= from) break
      notes.push(...leftInArchive(archive, rest()))
    }
    if (notes.length > 0) yield { place, notes }
  }
  return {
    source,
    items,
    openFile: async (entry) => (archive ? archive.open(entry) : null),
    close: async () => archive?.close(),
  }
}

/** A document with the values of others after its own. */
const inOneFile = (first: ExportDocument, others: readonly ExportDocument[]): ExportDocument =>
  others.length === 0
    ? first
    : {
        ...first,
        open: async () => Readable.from(linesOf([first, ...others])),
      }

async function* linesOf(documents: readonly ExportDocument[]): AsyncGenerator<Buffer> {
  for (const { open } of documents) {
    const stream = await open()
    try {
      yield* stream as AsyncIterable<Buffer>
      yield Buffer.from('\n')
    } finally {
      stream.destroy()
    }
  }
}

/** One chat out of the files of SillyTavern that are its branches. */
async function joined(
  documents: readonly [ExportDocument, ...ExportDocument[]],
  { findEntry, signal }: { findEntry: FindEntry; signal?: AbortSignal },
) {
  const problems = new Problems()
  const texts = new SourceTexts(new Set(sillytavern.silent))
  const files = []
  let [bytes, count, lineCount] = [0, 0, 0]
  for (const document of documents) {
    const whole = await valuesOf(document, signal)
    if (
      !whole ||
      bytes + whole.bytes > MAX_CHAT_BYTES ||
      count + whole.count > MAX_CHAT_VALUES ||
      lineCount + whole.values.length > MAX_CHAT_MESSAGES
    ) {
      problems.say(
        `${document.name} makes the chat longer than ${MAX_CHAT_BYTES / 1024 ** 2} MB, ${MAX_CHAT_MESSAGES.toLocaleString('en')} messages or ${MAX_CHAT_VALUES.toLocaleString('en')} values. It is left out.`,
      )
      continue
    }
    const { values } = whole
    texts.add(values)
    bytes += whole.bytes
    count += whole.count
    lineCount += values.length
    const [header, ...lines] = values
    const hasHeader = isRecord(header) && !('mes' in header)
    files.push({
      name: document.fileName,
      header: hasHeader ? header : {},
      lines: hasHeader ? lines : values,
    })
  }
  const chat = joinFiles(files, { problems, findEntry })
  return { chat: withLost(chat, texts.lostIn([chat])), source: sillytavern.source, bytes }
}
