import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { type FoundSession, openSessionFile } from './find-sessions'

/** Writes the files of sessions as one archive, which is imported as any other. */
export async function packSessions(sessions: readonly FoundSession[], archive: string): Promise<void> {
  const zip = new ZipFile()
  for (const { file, name } of sessions.flatMap(({ files }) => files))
    zip.addReadStreamLazy(name, (take) => take(null, openSessionFile(file)))
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(archive))
}
