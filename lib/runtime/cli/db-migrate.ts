import { openDatabase } from '@/lib/db'
import { readEnv } from '../env'
import { databaseOptions } from '../services'
import { runCommand } from './run-command'

// `npm run db:migrate`: applies the missing migrations, once, also when several processes start it.
runCommand(async () => {
  const database = await openDatabase(databaseOptions(readEnv(process.env)))
  await database.close()
  console.log(`The ${database.kind} database is up to date.`)
})
