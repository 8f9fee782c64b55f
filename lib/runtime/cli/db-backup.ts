import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { FolderInUseError, readWhole, type WholeDatabase } from '@/lib/db'
import { type BackupDone, refuseExisting, writeBackup } from '@/lib/store'
import { secretMark } from '../auth-secret'
import { readEnv } from '../env'
import { askForCopy } from '../folder-control'
import { copyFolderOf, withFolderCopy } from '../folder-copies'
import { databaseOptions } from '../services'
import { heldWords, runCommand, stoppable } from './run-command'

// `npm run db:backup -- FILE [--force]`: writes everything of a database to one file, as of one moment, while servers go on. Exit code 0: the file
// is whole. 1: it was refused or failed, and no file was written.
runCommand(() =>
  stoppable(async (signal) => {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { force: { type: 'boolean', default: false } },
    })
    const [file, ...more] = positionals
    if (!file || more.length > 0) throw new Error('Usage: npm run db:backup -- FILE [--force]')
    const { force } = values
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
    const done = env.DATABASE_URL
      ? await readWhole(databaseOptions(env), write)
      : await ofFolder(env.RAMIFY_DATA_DIR, write, signal)
    tell(file, done, { seconds: (performance.now() - begun) / 1000, at })
    const secret = env.BETTER_AUTH_SECRET ? 'BETTER_AUTH_SECRET' : `${env.RAMIFY_DATA_DIR}/auth-secret`
    console.log(
      `Keep ${secret} as well: it is not in the file. With another one people sign in again, guests lose their chats, and keys of providers and tools are saved again.`,
    )
  }),
)

/** Reads the folder itself, or a copy by the server that has it open. */
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

function tell(file: string, { tables, foreign }: BackupDone, { seconds, at }: { seconds: number; at: Date }) {
  const held = heldWords(tables)
  const size = (statSync(file).size / 1e6).toFixed(1)
  console.log(`Wrote ${file}: ${held}, ${size} MB, as of ${at.toISOString()}, in ${seconds.toFixed(1)} s.`)
  if (foreign.length > 0) console.log(`Left out, since they are not Ramify's: ${foreign.join(', ')}.`)
}

/** The version of Ramify, as its package says. */
const ownVersion = (): string => JSON.parse(readFileSync('package.json', 'utf8')).version
