import { readFileSync, statSync } from 'node:fs'
import { FolderInUseError, readWhole, type WholeDatabase } from '@/lib/db'
import { type BackupDone, refuseExisting, writeBackup } from '@/lib/store'
import { secretMark } from '../auth-secret'
import { heldWords } from '../cli/run-command'
import { readEnv } from '../env'
import { askForCopy } from '../folder-control'
import { copyFolderOf, withFolderCopy } from '../folder-copies'
import { databaseOptions } from '../services'

/**
 * Writes everything of the database of the environment to one file, as of one moment, while servers go on, and says so. Rejects when it is refused
 * or fails; then there is no file.
 */
export async function backUp(
  file: string,
  { force, signal, say }: { force: boolean; signal: AbortSignal; say: (line: string) => void },
): Promise<void> {
  refuseExisting(file, { force })
  const env = readEnv(process.env)
  const begun = performance.now()
  const at = new Date()
  const write = (database: WholeDatabase) =>
    writeBackup(database, file, {
      app: ownVersion(),
      at,
      force,
      signal,
      secret: secretMark(env),
    })
  const { tables, foreign } = env.DATABASE_URL
    ? await readWhole(databaseOptions(env), write)
    : await ofFolder(env.RAMIFY_DATA_DIR, write, signal)
  const size = (statSync(file).size / 1e6).toFixed(1)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  say(`Wrote ${file}: ${heldWords(tables)}, ${size} MB, as of ${at.toISOString()}, in ${seconds} s.`)
  if (foreign.length > 0) say(`Left out, since they are not Ramify's: ${foreign.join(', ')}.`)
  const secret = env.BETTER_AUTH_SECRET ? 'BETTER_AUTH_SECRET' : `${env.RAMIFY_DATA_DIR}/auth-secret`
  say(
    `Keep ${secret} as well: it is not in the file. With another one people sign in again, guests lose their chats, and keys of providers and tools are saved again.`,
  )
}

/** Reads the folder itself, or where a server has it open, a copy that the server makes. */
async function ofFolder(
  dataDir: string,
  write: (database: WholeDatabase) => Promise<BackupDone>,
  signal: AbortSignal,
): Promise<BackupDone> {
  try {
    return await readWhole({ dataDir, patience: 0 }, write)
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error
  }
  return withFolderCopy(dataDir, async (id) => {
    await askForCopy(dataDir, id, signal)
    return readWhole({ folder: copyFolderOf(dataDir, id) }, write)
  })
}

/** The version of Ramify, as its package says. */
const ownVersion = (): string => JSON.parse(readFileSync('package.json', 'utf8')).version
