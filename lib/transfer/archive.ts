import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline, Transform } from 'node:stream'
import { constants, crc32, createInflateRaw } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, openPromise, type ZipFile } from 'yauzl'
import { type FilePart, PartReader } from './file-part'
import { UnreadableExportError } from './foreign-chat'

/** Entries of an archive at most: their names are held in memory. */
const MAX_ENTRIES = 100_000
/** Bytes of the directory's facts about them. */
const MAX_DIRECTORY = 32 * 1024 * 1024
/** Bytes that an archive may unpack to. */
const MAX_UNPACKED = 32 * 1024 ** 3
/** Text shrinks to a twentieth, repetitive text to a hundredth; a bomb to a thousandth. */
const MAX_RATIO = 500
/** Small entries may shrink as they like. */
const RATIO_FROM = 64 * 1024 * 1024

/** A zip on disk. Its entries are read where they lie; none is ever written to disk, under its name or another. */
export interface Archive {
  /** Names of its files, in the order of the archive. */
  readonly names: readonly string[]
  /** The bytes of an entry, whose checksum is compared at its end. Null: there is none of that name. */
  open(name: string): Promise<Readable | null>
  /** The entries of a part of a zip whose beginning it holds; their streams may end early. Undefined: all of it is there. */
  part?: {
    holds(name: string): boolean
    /** places and sizes in the whole zip */
    placeOf(name: string): { at: number; size: number }
  }
  close(): void
}

/** @throws UnreadableExportError for a zip that is broken, encrypted or hostile */
export async function openArchive(path: string, name: string, part?: FilePart): Promise<Archive> {
  const reader = part && new PartReader(path, part, (await stat(path)).size)
  const opening = reader
    ? fromRandomAccessReaderPromise(reader, part.size, { autoClose: false })
    : openPromise(path, { autoClose: false })
  const zip = await opening.catch((error: unknown) => {
    throw broken(name, error)
  })
  try {
    const entries = await readEntries(zip, name)
    const placeOf = (wanted: string) => {
      const entry = entries.get(wanted)
      return { at: entry?.relativeOffsetOfLocalHeader ?? 0, size: entry?.uncompressedSize ?? 0 }
    }
    return {
      names: [...entries.keys()],
      open: async (wanted) => {
        const entry = entries.get(wanted)
        return entry ? openEntry(zip, entry, { name, reader }) : null
      },
      ...(reader && { part: { placeOf, holds: (wanted: string) => reader.holds(placeOf(wanted).at) } }),
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function readEntries(zip: ZipFile, name: string): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES) {
    throw new UnreadableExportError(
      `${name} holds ${zip.entryCount.toLocaleString('en')} files; ${MAX_ENTRIES.toLocaleString('en')} are read at most. Choose the conversations.json in it.`,
    )
  }
  const entries = new Map<string, Entry>()
  let [unpacked, directory] = [0, 0]
  const iterator = zip.eachEntry()[Symbol.asyncIterator]()
  for (;;) {
    const next = await iterator.next().catch((error: unknown) => {
      throw /relative path|absolute path|invalid characters in fileName/.test(String(error))
        ? new UnreadableExportError(
            `${name} names a file outside of itself, as no export does. It is not read.`,
          )
        : broken(name, error)
    })
    if (next.done) return entries
    const entry = next.value
    directory += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
    if (directory > MAX_DIRECTORY) {
      throw new UnreadableExportError(
        `${name} has names of more than ${MAX_DIRECTORY / 1024 ** 2} MB in all, as no export does. Choose the conversations.json in it.`,
      )
    }
    if (entry.fileName.endsWith('/') || entry.fileName.startsWith('__MACOSX/')) continue
    unpacked += entry.uncompressedSize
    checkSize(entry, unpacked, name)
    entries.set(entry.fileName, entry)
  }
}

function checkSize(entry: Entry, unpacked: number, name: string): void {
  const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize)
  if (unpacked <= MAX_UNPACKED && (entry.uncompressedSize < RATIO_FROM || ratio <= MAX_RATIO)) return
  throw new UnreadableExportError(
    `${name} would unpack to far more than an export holds (${entry.fileName}). It is not read. If it is one, unpack it and choose its JSON files one by one.`,
  )
}

async function openEntry(
  zip: ZipFile,
  entry: Entry,
  { name, reader }: { name: string; reader: PartReader | undefined },
): Promise<Readable> {
  if (entry.isEncrypted()) {
    throw new UnreadableExportError(
      `${name} is locked with a password. Unpack it and choose the file in it, or make a zip without a password.`,
      { cause: 'encrypted' },
    )
  }
  const unpacked = await (reader ? openPart(zip, entry, reader) : zip.openReadStreamPromise(entry)).catch(
    (error: unknown) => {
      throw broken(name, error)
    },
  )
  let sum = 0
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum = crc32(chunk, sum)
      done(null, chunk)
    },
    flush(done) {
      done(sum === entry.crc32 || reader ? null : broken(name, `${entry.fileName} has another checksum`))
    },
  })
  unpacked.on('error', (error) => checked.destroy(broken(name, error)))
  checked.on('close', () => unpacked.destroy())
  return unpacked.pipe(checked)
}

/**
 * An entry as far as the part has it. Bytes that are missing are no error: an error would take along the bytes that
 * are unpacked already.
 */
async function openPart(zip: ZipFile, entry: Entry, reader: PartReader): Promise<Readable> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const end = Math.min(entry.compressedSize, reader.reach(fileDataStart))
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false, start: 0, end })
  if (entry.compressionMethod === 0) return packed
  if (entry.compressionMethod !== 8)
    throw new Error(`unsupported compression method ${entry.compressionMethod}`)
  let left = entry.uncompressedSize
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      done(left < 0 ? new Error('the entry is longer than the directory says') : null, chunk)
    },
  })
  // each passes its error on, and its end to the one before
  pipeline(packed, createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH }), bounded, () => undefined)
  return bounded
}

const broken = (name: string, cause: unknown) =>
  new UnreadableExportError(
    `${name} is a broken or incomplete zip. Download the export again; if that does not help, unpack it and choose its JSON files.`,
    { cause },
  )
