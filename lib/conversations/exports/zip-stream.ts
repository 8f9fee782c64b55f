import { once } from 'node:events'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of an archive that is written. */
export interface ArchiveEntry {
  path: string
  content: AsyncIterable<string | Uint8Array>
}

/** The content of an entry that is one text. */
export async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text
}

/**
 * Entries as the bytes of a zip, as fast as they are read: one entry at a time, and no further once the stream is destroyed.
 *
 * @param runs starts the writing; it carries on in what surrounds this call
 */
export function zipStream(
  entries: AsyncIterable<ArchiveEntry>,
  runs: (write: () => Promise<void>) => Promise<void> = (write) => write(),
): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const write = async () => {
    for await (const { path, content } of entries) {
      if (output.destroyed) return
      const entry = Readable.from(content)
      const read = once(entry, 'end', { signal: leaving.signal })
      entry.once('error', (error) => output.destroy(error))
      // the archive keeps this function for each entry until its end, and a stream that it names with it
      let given: Readable | undefined = entry
      zip.addReadStreamLazy(path, (take) => {
        if (given) take(null, given)
        given = undefined
      })
      await read.finally(() => entry.destroy())
    }
    zip.end()
  }
  const leaving = new AbortController()
  output.once('close', () => leaving.abort())
  zip.once('error', (error) => output.destroy(error))
  runs(write).catch((error: Error) => output.destroy(error))
  return output
}
