/** Runs a command-line task; what goes wrong is one line on stderr and exit code 1. */
export function runCommand(task: () => Promise<void>): void {
  task().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  })
}
