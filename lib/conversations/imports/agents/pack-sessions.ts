import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { type FoundSession, openSessionFile } from './find-sessions'

/**
 * Packs sessions as archives, which are imported as any others: one for each client.
 *
 * @param bring imports an archive; it is deleted when this resolves
 */
export async function packSessions(
  sessions: readonly FoundSession[],
  bring: (archive: { path: string; name: string }) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ramify-agents-'))
  try {
    for (const [source, own] of Map.groupBy(sessions, (session) => session.source)) {
      const name = `${source} sessions.zip`
      const archive = path.join(folder, name)
      await pack(own, archive)
      await bring({ path: archive, name })
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function pack(sessions: readonly FoundSession[], archive: string): Promise<void> {
  const zip = new ZipFile()
  for (const { file, name } of sessions.flatMap(({ files }) => files))
    zip.addReadStreamLazy(name, (take) => take(null, openSessionFile(file)))
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(archive))
}
