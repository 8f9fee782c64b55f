import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseOpenError } from './database'
import { makePrivateFile, makePrivateFolder } from './private-folder'

const SQLITE_BUSY = 5

/**
 * Takes the folder for this process and returns what gives it back. PGlite has no lock of its own, and two
 * processes on one folder lose rows silently. The operating system drops this lock with the process, however it
 * dies, so no stale one can remain.
 */
export function lockFolder(dataDir: string): () => void {
  let lock: DatabaseSync | undefined
  try {
    makePrivateFolder(dataDir)
    const file = path.join(dataDir, 'pglite.lock')
    // its journal takes the mode from it
    makePrivateFile(file)
    lock = new DatabaseSync(file, { timeout: 3000 })
    const held = lock
    held.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return () => held.close()
  } catch (error) {
    lock?.close()
    const busy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
    throw new DatabaseOpenError(
      busy
        ? `The data folder ${dataDir} is in use by another Ramify process: stop that one, or set RAMIFY_DATA_DIR to another folder.`
        : `RAMIFY_DATA_DIR: the folder ${dataDir} cannot be used (${error instanceof Error ? error.message : error}).`,
    )
  }
}
