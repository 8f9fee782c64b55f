import { parseArgs } from 'node:util'
import { changeWhole } from '@/lib/db'
import { BackupReader, checkDatabase, findingLine, restoreBackup } from '@/lib/store'
import { secretMark } from '../auth-secret'
import { readEnv } from '../env'
import { databaseOptions } from '../services'
import { heldWords, inDatabase, lineOf, many, runCommand, stoppable } from './run-command'

// `npm run db:restore -- FILE [--replace]`: restores a backup into an empty database, of either kind. Exit
// code 0: all is there and sound. 1: refused or failed, and nothing was changed. 2: all is there, and
// `db:check` found problems in it, or failed.
runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { replace: { type: 'boolean', default: false } },
  })
  const [file, ...more] = positionals
  if (!file || more.length > 0) throw new Error('Usage: npm run db:restore -- FILE [--replace]')
  const env = readEnv(process.env)
  const begun = performance.now()
  const backup = await BackupReader.open(file)
  const tables = await stoppable((signal) =>
    changeWhole(databaseOptions(env), (database) =>
      restoreBackup(database, backup, { replace: values.replace, signal }),
    ),
  ).finally(() => backup.close())
  const { made_at, secret } = backup.header
  const seconds = (performance.now() - begun) / 1000
  const held = heldWords(tables)
  console.log(`Restored ${file}: ${held}, as of ${made_at}, in ${seconds.toFixed(1)} s.`)
  const mark = secretMark(env)
  if (secret && mark !== secret) {
    console.log(
      'The backup was made with another BETTER_AUTH_SECRET than there is here: set that one, or people sign in again, guests lose their chats, and keys of providers and tools are saved again.',
    )
  }
  await check()
})

/**
 * As `npm run db:check`, which also gathers the statistics that a new database lacks. The restore stays, even
 * with problems.
 */
async function check(): Promise<void> {
  try {
    await inDatabase(async (database) => {
      const findings = await checkDatabase(database)
      for (const finding of findings) console.log(findingLine(finding))
      const told = `${many(findings.length, 'problem')} found by db:check`
      if (findings.length === 0) return console.log(told)
      process.exitCode = 2
      console.error(told)
    })
  } catch (error) {
    process.exitCode = 2
    console.error(
      `All is restored, but db:check could not look at it: ${lineOf(error)} Run npm run db:check.`,
    )
  }
}
