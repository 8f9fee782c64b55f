import { parseArgs } from 'node:util'
import { changeWhole } from '@/lib/db'
import { partitionTables } from '@/lib/store'
import { readEnv } from '../env'
import { databaseOptions } from '../services'
import { inDatabase, runCommand } from './run-command'

// `npm run db:partition [-- --parts 16]`: partitions the tables that grow by hash of the chat, on Postgres, with the servers stopped.
// Exit code 1: it was refused or failed, and nothing was changed.
runCommand(async () => {
  const { parts } = parseArgs({ options: { parts: { type: 'string', default: '16' } } }).values
  const begun = performance.now()
  const options = databaseOptions(readEnv(process.env))
  const tables = await changeWhole(options, (database) => partitionTables(database, Number(parts)))
  if (tables.length === 0) return console.log('All tables are partitioned already.')
  // the planner knows nothing of new tables
  await inDatabase(async (database) => void (await database.query('analyze')))
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`${tables.join(', ')} have ${parts} parts each now, after ${seconds} s.`)
})
