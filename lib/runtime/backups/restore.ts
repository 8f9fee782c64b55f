import { changeWhole } from '@/lib/db'
import { BackupReader, checkDatabase, findingLine, restoreBackup } from '@/lib/store'
import { secretMark } from '../auth-secret'
import { heldWords, inDatabase, lineOf, many } from '../cli/run-command'
import { readEnv } from '../env'
import { databaseOptions } from '../services'

/**
 * Makes the empty database of the environment what a backup says, on either kind of database, and says so. Rejects when it is refused or fails; then
 * nothing is changed.
 */
export async function restore(
  file: string,
  { replace, signal, say }: { replace: boolean; signal: AbortSignal; say: (line: string) => void },
): Promise<void> {
  const env = readEnv(process.env)
  const begun = performance.now()
  const backup = await BackupReader.open(file)
  const tables = await changeWhole(databaseOptions(env), (database) =>
    restoreBackup(database, backup, { replace, signal }),
  ).finally(() => backup.close())
  const { made_at, secret } = backup.header
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  say(`Restored ${file}: ${heldWords(tables)}, as of ${made_at}, in ${seconds} s.`)
  const mark = secretMark(env)
  if (secret && mark !== secret) {
    say(
      'The backup was made with another BETTER_AUTH_SECRET than there is here: set that one, or people sign in again, guests lose their chats, and keys of providers and tools are saved again.',
    )
  }
}

/**
 * As `npm run db:check`, which also gathers the statistics that a new database lacks. The restore stays, whatever it finds.
 *
 * @returns false when it names what is broken, or could not look
 */
export async function checkRestored({
  say,
  warn,
}: {
  say: (line: string) => void
  warn: (line: string) => void
}): Promise<boolean> {
  try {
    let isSound = true
    await inDatabase(async (database) => {
      const findings = await checkDatabase(database)
      for (const finding of findings) say(findingLine(finding))
      isSound = findings.length === 0
      const told = `${many(findings.length, 'problem')} found by db:check`
      if (isSound) say(told)
      else warn(told)
    })
    return isSound
  } catch (error) {
    warn(`All is restored, but db:check could not look at it: ${lineOf(error)} Run npm run db:check.`)
    return false
  }
}
