import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseOpenError } from './database'

/**
 * Takes the folder for this process and returns what gives it back. PGlite has no lock of its own, and two
 * processes on one folder lose rows silently. The operating system drops this lock with the process, however it
 * dies, so no stale one can remain.
 */
export function lockFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  const lock = new DatabaseSync(path.join(dataDir, 'pglite.lock'), { timeout: 3000 })
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    throw new DatabaseOpenError(
      `The data folder ${dataDir} is in use by another Ramify process: stop that one, or set RAMIFY_DATA_DIR to another folder.`,
    )
  }
  return () => lock.close()
}
