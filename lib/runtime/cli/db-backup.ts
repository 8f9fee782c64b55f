import { parseArgs } from 'node:util'
import { backUp } from '../backups/back-up'
import { runCommand, stoppable } from './run-command'

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
    await backUp(file, { force: values.force, signal, say: console.log })
  }),
)
