import { openDatabase } from '@/lib/db'
import { readEnv } from '../env'
import { databaseOptions } from '../services'
import { runCommand } from './run-command'

// `npm run db:migrate`: applies what migrations are missing, once, however many processes ask for it.
runCommand(async () => {
  const database = await openDatabase(databaseOptions(readEnv(process.env)))
  await database.close()
  console.log(`The ${database.kind} database is up to date.`)
})
