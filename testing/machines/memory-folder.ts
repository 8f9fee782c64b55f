import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import path from 'node:path'

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm'
/** Bytes that have to be free: a run holds a few gigabytes at most. */
const ROOM = 8 * 1024 ** 3

/**
 * Has the temporary files of this process, and of those it starts, in memory where there is room, unless `TMPDIR` says where they
 * are. An embedded database is a thousand files, and a test has a copy: made and deleted by the hundred on ext4, they took a
 * third of all processor time, since that looks through what was deleted in the last seconds for each file it makes.
 *
 * @returns what deletes the folder
 */
export function temporaryInMemory(): () => void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return () => undefined
  const folder = mkdtempSync(path.join(MEMORY, 'ramify-'))
  // Postgres runs as another user, and has its folder in this one
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return () => {
    delete process.env.TMPDIR
    rmSync(folder, { recursive: true, force: true })
  }
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > ROOM && freemem() > ROOM
  } catch {
    // not Linux, or a container without it
    return false
  }
}
