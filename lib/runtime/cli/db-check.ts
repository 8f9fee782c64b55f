import { parseArgs } from 'node:util'
import { asJob, openDatabase } from '@/lib/db'
import { checkDatabase, findingLine } from '@/lib/store'
import { readEnv } from '../env'
import { databaseOptions } from '../services'
import { runCommand } from './run-command'

// `npm run db:check [-- --chat ID]`: verifies every invariant; one line for each thing that is broken, and exit code 1.
runCommand(async () => {
  const { values } = parseArgs({ options: { chat: { type: 'string' } } })
  const { chat } = values
  const database = asJob(await openDatabase(databaseOptions(readEnv(process.env))))
  try {
    const [chats] = await database.query<{ count: number }>(
      'select count(*)::int as count from chats where $1::text is null or id = $1',
      [chat ?? null],
    )
    const count = chats?.count ?? 0
    if (chat !== undefined && count === 0) throw new Error(`There is no chat "${chat}".`)
    const findings = await checkDatabase(database, chat === undefined ? {} : { chatId: chat })
    for (const finding of findings) console.log(findingLine(finding))
    if (findings.length > 0) process.exitCode = 1
    const problems = `${findings.length} ${findings.length === 1 ? 'problem' : 'problems'}`
    const summary = `${problems} in ${count} ${count === 1 ? 'chat' : 'chats'}`
    if (findings.length > 0) console.error(summary)
    else console.log(summary)
  } finally {
    await database.close()
  }
})
