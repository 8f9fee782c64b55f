import path from 'node:path'
import { dataFolderOf, isPacked } from './app/data-folder'
import { runCli } from './run-cli'
import type { World } from './terminal'

// The process of `ramify`: its streams, signals and settings.

/** Settings of the server count here too; the environment counts before them. */
function readSettings(root: string): void {
  for (const name of ['.env.local', '.env']) {
    try {
      process.loadEnvFile(path.join(root, name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

/** The folder that the command was called in: `npm run` changes to that of the package. */
const calledIn = (): string =>
  process.env.npm_lifecycle_event === 'ramify' && process.env.INIT_CWD ? process.env.INIT_CWD : process.cwd()

const listeners = new Set<() => void>()

process.on('SIGINT', () => {
  if (listeners.size === 0) process.exit(130)
  for (const listener of [...listeners]) listener()
})

for (const stream of [process.stdout, process.stderr]) {
  // a reader like `head` has had enough; the command's work is done all the same
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

/** @param root the folder of the package */
export async function run(root: string): Promise<void> {
  const cwd = calledIn()
  if (isPacked(root)) process.env.RAMIFY_DATA_DIR = dataFolderOf(process.env, cwd)
  const callerEnv = { ...process.env }
  // settings name folders from the package on, as the server reads them
  process.chdir(root)
  readSettings(root)
  let endedBy: NodeJS.Signals | undefined
  const world: World = {
    env: process.env,
    callerEnv,
    cwd,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    onInterrupt(listener, { patient = false } = {}) {
      let told = 0
      // the second interrupt ends the process, no matter what the listener does
      const listen = () => (patient || told++ === 0 ? listener() : process.exit(130))
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
    endBy(signal) {
      endedBy = signal
    },
  }
  process.exitCode = await runCli(process.argv.slice(2), world)
  if (endedBy !== undefined) {
    process.removeAllListeners(endedBy)
    process.kill(process.pid, endedBy)
  }
}
