import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type Archive, openArchive } from './archive'
import { entryFinder } from './find-entry'
import { type ExportItem, type OpenExport, UnreadableExportError } from './foreign-chat'
import { joinFiles, sillytavern } from './formats/sillytavern'
import { isRecord } from './json/values'
import type { FindEntry } from './parts/files'
import {
  type ExportDocument,
  MAX_CHAT_BYTES,
  MAX_CHAT_MESSAGES,
  MAX_CHAT_VALUES,
  NOT_READ,
  readDocument,
  recogniseDocument,
  valuesOf,
} from './read-document'
import { isZip } from './sniff'
import { Problems } from './tree/problems'

const CHUNK_BYTES = 256 * 1024

/**
 * Opens an export of another program, which is known by its content: a JSON file, JSON lines, or a zip of them. It is read
 * chat by chat in the memory that the longest of them needs.
 *
 * @param path of the file on disk, which stays as it is until `close`
 * @param options.name its name as it was uploaded, for sentences and for chats without a title
 * @throws UnreadableExportError
 */
export async function openExport(
  path: string,
  { name, signal }: { name: string; signal?: AbortSignal },
): Promise<OpenExport> {
  if (!isZip(await firstBytes(path))) {
    const stream = async () => createReadStream(path, { highWaterMark: CHUNK_BYTES, signal })
    const document = await recogniseDocument({ name, open: stream })
    if (!document) throw new UnreadableExportError(noChats(name))
    return openDocuments([[document]], { findEntry: () => null, signal })
  }
  const archive = await openArchive(path, name)
  try {
    const documents = await documentsIn(archive, name)
    return openDocuments(inGroups(documents), { archive, findEntry: entryFinder(archive.names), signal })
  } catch (error) {
    archive.close()
    throw error
  }
}

const noChats = (name: string) =>
  `${name} holds no chats in a form that is known here. Exports of ChatGPT, Claude, Open WebUI, LibreChat, SillyTavern, llama.cpp, LangGraph and lists of messages can be imported.`

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

/** The files of an archive that hold chats, in the order of their names with numbers in the order of numbers. */
async function documentsIn(archive: Archive, name: string): Promise<ExportDocument[]> {
  const wanted = archive.names.filter((entry) => /\.jsonl?$/i.test(entry)).toSorted(byNumbers.compare)
  const documents: ExportDocument[] = []
  let unread: UnreadableExportError | undefined
  for (const entry of wanted) {
    const open = async () => (await archive.open(entry)) as Readable
    const document = await recogniseDocument({ name: entry, open }).catch((error: unknown) => {
      if (error instanceof UnreadableExportError && error.cause === NOT_READ) {
        unread ??= error
        return null
      }
      // a file that is no export lies beside those that are; a zip that cannot be read has nothing beside it
      if (error instanceof UnreadableExportError && error.cause === undefined) return null
      throw error
    })
    if (document) documents.push(document)
  }
  if (documents.length > 0) return documents
  if (unread) throw unread
  const [inner] = archive.names.filter((entry) => /\.zip$/i.test(entry))
  if (inner)
    throw new UnreadableExportError(`${name} holds another zip (${inner}). Unpack it and choose that one.`)
  if (wanted.length > 0) throw new UnreadableExportError(noChats(name))
  throw new UnreadableExportError(
    `${name} holds no JSON file. Choose the zip that the other program exported.`,
  )
}

/** Documents one by one, but files of SillyTavern that are branches of one chat together, that chat first. */
function inGroups(documents: readonly ExportDocument[]): ExportDocument[][] {
  const folderOf = ({ name }: ExportDocument) => name.slice(0, name.lastIndexOf('/') + 1)
  const tavern = documents.filter(({ format }) => format === sillytavern)
  const byName = new Map(tavern.map((document) => [folderOf(document) + document.fileName, document]))
  const mainOf = (document: ExportDocument): ExportDocument => {
    const seen = new Set<ExportDocument>()
    let at = document
    for (;;) {
      seen.add(at)
      const above = byName.get(`${folderOf(at)}${at.mainChat}`)
      if (!above) return at
      // files that name each other: any of them, but always the same
      if (seen.has(above)) return [...seen].reduce((one, other) => (one.name < other.name ? one : other))
      at = above
    }
  }
  const groups = Map.groupBy(documents, (document) =>
    document.format === sillytavern ? mainOf(document) : document,
  )
  return [...groups].map(([main, members]) => [main, ...members.filter((member) => member !== main)])
}

function openDocuments(
  groups: readonly ExportDocument[][],
  { archive, findEntry, signal }: { archive?: Archive; findEntry: FindEntry; signal?: AbortSignal },
): OpenExport {
  const source = groups[0]?.[0]?.format.source ?? 'messages'
  async function* items(from = 0): AsyncGenerator<ExportItem> {
    let base = 0
    for (const [first, ...others] of groups) {
      if (!first) continue
      if (others.length > 0) {
        if (base >= from) yield { place: base, ...(await joined([first, ...others], { findEntry, signal })) }
        base += 1
        continue
      }
      const tally = { count: 0 }
      for await (const { index, ...item } of readDocument(first, {
        findEntry,
        from: Math.max(0, from - base),
        tally,
        signal,
      })) {
        yield { place: base + index, ...item }
      }
      base += tally.count
    }
  }
  return {
    source,
    items,
    openFile: async (entry) => (archive ? archive.open(entry) : null),
    close: async () => archive?.close(),
  }
}

/** One chat out of the files of SillyTavern that are its branches. */
async function joined(
  documents: readonly [ExportDocument, ...ExportDocument[]],
  { findEntry, signal }: { findEntry: FindEntry; signal?: AbortSignal },
) {
  const problems = new Problems()
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
  return { chat: joinFiles(files, { problems, findEntry }), bytes }
}
