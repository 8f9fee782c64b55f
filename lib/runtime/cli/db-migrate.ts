import { runOnDatabase } from './run-command'

// `npm run db:migrate`: applies the missing migrations, once, also when several processes start it.
runOnDatabase(async ({ kind }) => console.log(`The ${kind} database is up to date.`))
