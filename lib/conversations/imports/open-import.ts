import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { CHAT_FORMAT } from '@/lib/protocol/chat-file'
import { sizeWords } from '@/lib/protocol/file-types'
import {
  type ExportItem,
  type FilePart,
  type OpenExport,
  openExport,
  UnreadableExportError,
} from '@/lib/transfer'
import { openArchive } from '@/lib/transfer/archive'

/** A chat that Ramify has exported. */
interface OwnChat {
  /** the bytes of its file, not looked into yet */
  text: AsyncIterable<Buffer> | Iterable<Buffer>
  /** the bytes of an entry of the zip it came in */
  open?: (entry: string) => Promise<Buffer | null>
}

/** A chat of a file, or the reason why this place has none. */
export type ImportItem = ExportItem | { place: number; title: string; own: () => Promise<OwnChat> }

/** A file to import, of another program or of Ramify. */
export interface OpenImport extends Omit<OpenExport, 'source' | 'items'> {
  source: string
  items(from?: number): AsyncIterable<ImportItem>
}

/** The source of files that Ramify has exported itself. */
const OURS = 'ramify'
/** Bytes of one file of a chat: the most that a server may allow. */
const MAX_FILE = 50 * 1024 * 1024
/** A file of Ramify names its format at its beginning. */
const ours = new RegExp(`^\\ufeff?\\s*\\{\\s*"format"\\s*:\\s*"${CHAT_FORMAT.replace('.', '\\.')}"`)
const HEAD = 200

/**
 * Opens a file to import: a Ramify chat or a zip of them, else an export of another program.
 *
 * @param options.part the part of the file at the path, when it is not the whole file
 * @throws UnreadableExportError; BeyondPartError when a part is unreadable
 */
export async function openImport(
  path: string,
  options: { name: string; part?: FilePart; signal?: AbortSignal },
): Promise<OpenImport> {
  const head = await beginningOf(path)
  if (head.startsWith('PK') || (options.part?.from ?? 0) > 0)
    return (await openZip(path, options)) ?? openExport(path, options)
  return ours.test(head) ? openOne(path, options.name) : openExport(path, options)
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer: bytes, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0)
    return bytes.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** One chat of ours; its files are in it. */
function openOne(path: string, name: string): OpenImport {
  return {
    source: OURS,
    async *items(from = 0) {
      if (from === 0) yield { place: 0, title: name, own: async () => ({ text: createReadStream(path) }) }
    },
    openFile: async () => null,
    close: async () => undefined,
  }
}

/** A zip of ours: its chats, in the order of their names, and their files. Undefined for another program's. */
async function openZip(
  path: string,
  { name, part }: { name: string; part?: FilePart },
): Promise<OpenImport | undefined> {
  const archive = await openArchive(path, name, part)
  const chats = archive.names
    .filter((entry) => /^chats\/[^/]+\.json$/.test(entry) && (archive.part?.holds(entry) ?? true))
    .toSorted()
  const openEntry = async (entry: string) => {
    const stream = await archive.open(entry)
    return stream && fileIn(stream, entry)
  }
  const headOf = async (entry: string) => {
    for await (const chunk of (await archive.open(entry)) ?? [])
      return String((chunk as Buffer).subarray(0, HEAD))
    return ''
  }
  const [first] = chats
  const isOurs =
    archive.names.includes('manifest.json') && first !== undefined && ours.test(await headOf(first))
  if (!isOurs) {
    archive.close()
    return undefined
  }
  return {
    source: OURS,
    async *items(from = 0) {
      for (const [place, entry] of chats.entries()) {
        if (place < from) continue
        const own = async () => ({ text: (await archive.open(entry)) ?? [], open: openEntry })
        yield { place, title: entry, own }
      }
    },
    openFile: archive.open,
    close: async () => archive.close(),
  }
}

/** The bytes of a file; a file that is too large is refused before more of it is read. */
async function fileIn(stream: AsyncIterable<Buffer>, name: string): Promise<Buffer> {
  let size = 0
  return buffer(
    (async function* () {
      for await (const piece of stream) {
        size += piece.length
        if (size > MAX_FILE)
          throw new UnreadableExportError(
            `${name} is larger than ${sizeWords(MAX_FILE)}, the most that a file can be.`,
          )
        yield piece
      }
    })(),
  )
}
