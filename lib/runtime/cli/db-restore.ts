import { parseArgs } from 'node:util'
import { checkRestored, restore } from '../backups/restore'
import { runCommand, stoppable } from './run-command'

// `npm run db:restore -- FILE [--replace]`: makes an empty database what a backup says, on either kind of database. Exit code 0: all is there and
// well. 1: it was refused or failed, and nothing was changed. 2: all is there, and `db:check` names what is broken in it, or could not look.
runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { replace: { type: 'boolean', default: false } },
  })
  const [file, ...more] = positionals
  if (!file || more.length > 0) throw new Error('Usage: npm run db:restore -- FILE [--replace]')
  await stoppable((signal) => restore(file, { replace: values.replace, signal, say: console.log }))
  if (!(await checkRestored({ say: console.log, warn: console.error }))) process.exitCode = 2
})
