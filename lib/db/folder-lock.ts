import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseOpenError } from './database'
import { makePrivateFile, makePrivateFolder } from './private-folder'

const SQLITE_BUSY = 5

/** Another process has the folder. */
export class FolderInUseError extends DatabaseOpenError {
  constructor(dataDir: string) {
    super(
      `The data folder ${dataDir} is in use by another Ramify process: stop that one, or set RAMIFY_DATA_DIR to another folder.`,
    )
  }
}

/**
 * Takes the folder for this process and returns what gives it back. PGlite has no lock of its own, and two
 * processes on one folder lose rows silently. The operating system drops this lock with the process, however it
 * dies, so no stale one can remain.
 *
 * @param patience how long another process may still hold it, in ms
 * @throws FolderInUseError when it does
 */
export function lockFolder(dataDir: string, patience = 3000): () => void {
  let lock: DatabaseSync | undefined
  try {
    makePrivateFolder(dataDir)
    const file = path.join(dataDir, 'pglite.lock')
    // its journal takes the mode from it
    makePrivateFile(file)
    lock = new DatabaseSync(file, { timeout: patience })
    const held = lock
    held.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return () => held.close()
  } catch (error) {
    lock?.close()
    const busy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
    if (busy) throw new FolderInUseError(dataDir)
    throw new DatabaseOpenError(
      `RAMIFY_DATA_DIR: the folder ${dataDir} cannot be used (${error instanceof Error ? error.message : error}).`,
    )
  }
}
