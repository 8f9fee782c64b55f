import { constants } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { makePrivateFolder } from '../private-folder'

/** Folder of PGlite's log of writes, and the file that says from which place to read it again. */
const LOG = 'pg_wal'
const CONTROL = 'global/pg_control'
/** Files of the running process. */
const OWN: ReadonlySet<string> = new Set(['postmaster.pid', 'pgsql_tmp', 'pg_stat_tmp'])

interface Place {
  redo: string
  segment: string
}

/** $1 nothing: from where on the log has to be read again, and the file of the log that stands for it. */
const placeSql =
  'select redo_lsn::text as redo, pg_walfile_name(redo_lsn) as segment from pg_control_checkpoint()'

/**
 * Copies an embedded database while it goes on, as base backups of Postgres do: a checkpoint; the files, each as it
 * happens to be read; then, with nothing running, the log of all that was written since. A process that opens the copy reads that log
 * again, as after a crash, and stands where the last of them was written. Statements wait for the checkpoint
 * and for the end of the log, not for the files.
 *
 * No other checkpoint may come between: it would let go of the log. An embedded database makes none by itself.
 *
 * @param alone runs work while no statement does
 * @param to an empty folder
 */
export async function copyFolder(
  embedded: PGlite,
  from: string,
  { to, alone, signal }: { to: string; alone<T>(work: () => Promise<T>): Promise<T>; signal?: AbortSignal },
): Promise<void> {
  const copy = async (file: string) => {
    signal?.throwIfAborted()
    await copyFile(path.join(from, file), path.join(to, file), constants.COPYFILE_FICLONE)
  }
  makePrivateFolder(to)
  await mkdir(path.join(to, path.dirname(CONTROL)))
  const begun = await alone(async () => {
    await embedded.exec('checkpoint')
    await copy(CONTROL)
    return placeOf(embedded)
  })
  const copied = new Set<string>()
  const copyLog = async (all: boolean) => {
    const segments = (await readdir(path.join(from, LOG)))
      .filter((name) => /^[0-9A-F]{24}$/.test(name) && name >= begun.segment && !copied.has(name))
      .sort()
    // the last one is still written
    for (const name of all ? segments : segments.slice(0, -1)) {
      await copy(path.join(LOG, name))
      copied.add(name)
    }
  }
  await copyTree(from, to, '', copy)
  await copyLog(false)
  await alone(async () => {
    const { redo } = await placeOf(embedded)
    if (redo !== begun.redo) throw new Error('The database made a checkpoint while it was copied: try again.')
    await copyLog(true)
  })
}

async function placeOf(embedded: PGlite): Promise<Place> {
  const [place] = (await embedded.query<Place>(placeSql)).rows
  if (!place) throw new Error('pg_control_checkpoint() has no row')
  return place
}

/** Every folder, and every file but those of the log and the one that is already there. */
async function copyTree(
  from: string,
  to: string,
  at: string,
  copy: (file: string) => Promise<void>,
): Promise<void> {
  for (const entry of await readdir(path.join(from, at), { withFileTypes: true })) {
    const name = path.join(at, entry.name)
    if (OWN.has(entry.name)) continue
    if (entry.isDirectory()) {
      await mkdir(path.join(to, name), { recursive: true, mode: 0o700 })
      await copyTree(from, to, name, copy)
    } else if (entry.isFile() && name !== path.normalize(CONTROL) && at !== LOG) {
      await copy(name).catch((error: NodeJS.ErrnoException) => {
        // deleted since the folder was read: the log says so too
        if (error.code !== 'ENOENT') throw error
      })
    }
  }
}
