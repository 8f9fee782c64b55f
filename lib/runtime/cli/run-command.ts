import { sayingOf } from '../outline-error'

/** Runs a command-line task; an error is one line on stderr and exit code 1. */
export function runCommand(task: () => Promise<void>): void {
  task().catch((error: unknown) => {
    console.error(lineOf(error))
    process.exit(1)
  })
}

/** The line for an error; the values of a failed statement are left out. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'query' in error ? sayingOf(error) : error.message
}
