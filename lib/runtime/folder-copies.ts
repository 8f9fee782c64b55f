import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { FolderInUseError, lockFolder, makePrivateFolder } from '@/lib/db'

const copiesFolder = (dataDir: string): string => path.join(dataDir, 'copies')

/** Folder of a copy's database. */
export const copyFolderOf = (dataDir: string, id: string): string =>
  path.join(copiesFolder(dataDir), id, 'pglite')

/** Age in ms after which a copy that no process holds counts as left behind. */
const LEFT_BEHIND = 60_000

/**
 * Runs work with a folder of its own in the data folder, and deletes it afterwards. Folders that a killed process has left go, too: each is locked
 * as long as it is in use.
 */
export async function withFolderCopy<Result>(
  dataDir: string,
  work: (id: string) => Promise<Result>,
): Promise<Result> {
  makePrivateFolder(copiesFolder(dataDir))
  deleteLeftBehind(copiesFolder(dataDir))
  const id = randomUUID()
  const folder = path.dirname(copyFolderOf(dataDir, id))
  const unlock = lockFolder(folder)
  try {
    return await work(id)
  } finally {
    unlock()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function deleteLeftBehind(copies: string): void {
  for (const name of readdirSync(copies)) {
    const folder = path.join(copies, name)
    // another process may have deleted it
    if (!existsSync(folder) || Date.now() - statSync(folder).mtimeMs < LEFT_BEHIND) continue
    try {
      lockFolder(folder, 0)()
      rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error
    }
  }
}
