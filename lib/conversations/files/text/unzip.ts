import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { Refused } from './task.ts'

/** Entries of a zip at most. */
const MAX_ENTRIES = 10_000
/** Bytes that the entries of a document may unpack to. */
const MAX_UNPACKED = 200 * 1024 ** 2

/** A zip in memory. */
export interface Unzipped {
  readonly entries: ReadonlyMap<string, Entry>
  /** the bytes of an entry; undefined for an unknown name */
  bytes(name: string): Promise<Buffer | undefined>
  /** an entry as UTF-8; empty for an unknown name */
  text(name: string): Promise<string>
  /** reads every entry once, so that another reader of the same bytes unpacks no more than is allowed */
  checkEntries(): Promise<void>
}

/** @throws Refused for a zip that is broken or holds too many entries */
export async function unzip(bytes: Buffer): Promise<Unzipped> {
  const zip = await fromBufferPromise(bytes).catch(broken)
  if (zip.entryCount > MAX_ENTRIES) {
    const [held, most] = [zip.entryCount, MAX_ENTRIES].map((count) => count.toLocaleString('en'))
    throw new Refused(
      'file_too_large',
      `holds ${held} files; ${most} are read at most. Attach the files in it that matter.`,
    )
  }
  const entries = new Map<string, Entry>()
  await (async () => {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  })().catch(broken)
  const read = async (name: string) => {
    const entry = entries.get(name)
    return entry && readEntry(zip, entry)
  }
  return {
    entries,
    bytes: read,
    text: async (name) => new TextDecoder().decode((await read(name)) ?? Buffer.alloc(0)),
    async checkEntries() {
      const unpacked = [...entries.values()].reduce((sum, entry) => sum + entry.uncompressedSize, 0)
      if (unpacked > MAX_UNPACKED) {
        throw new Refused(
          'file_too_large',
          `would unpack to ${Math.ceil(unpacked / 1024 ** 2).toLocaleString('en')} MB; ${MAX_UNPACKED / 1024 ** 2} MB are read at most. Split it, and attach a part.`,
        )
      }
      for (const entry of entries.values()) if (!entry.fileName.endsWith('/')) await readEntry(zip, entry)
    },
  }
}

/** Reads an entry, of which no more is unpacked than the zip says that it has. */
async function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  if (entry.isEncrypted()) {
    throw new Refused('encrypted_file', 'is locked with a password. Save it without one, and attach that.')
  }
  const stream = await zip.openReadStreamPromise(entry).catch(broken)
  const pieces: Buffer[] = []
  await (async () => {
    for await (const piece of stream) pieces.push(piece as Buffer)
  })().catch(broken)
  return Buffer.concat(pieces)
}

function broken(cause: unknown): never {
  if (cause instanceof Refused) throw cause
  throw new Refused(
    'damaged_file',
    `is damaged or cut off: its entries cannot be read (${cause instanceof Error ? cause.message : cause}). Save it again, and attach that.`,
  )
}
