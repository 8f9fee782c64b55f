import { parseArgs } from 'node:util'
import { checkDatabase, findingLine } from '@/lib/store'
import { countChats, many, runOnDatabase } from './run-command'

// `npm run db:check [-- --chat ID]`: verifies every invariant; one line for each broken one, and exit code 1.
runOnDatabase(async (database) => {
  const { chat } = parseArgs({ options: { chat: { type: 'string' } } }).values
  const count = await countChats(database, chat)
  const findings = await checkDatabase(database, { chatId: chat })
  for (const finding of findings) console.log(findingLine(finding))
  const summary = `${many(findings.length, 'problem')} in ${many(count, 'chat')}`
  if (findings.length === 0) return console.log(summary)
  process.exitCode = 1
  console.error(summary)
})
