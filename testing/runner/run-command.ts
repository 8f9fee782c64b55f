import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { repoRoot } from './repo-root'

const groups = new Set<number>()

/**
 * Runs a program of `node_modules/.bin` or the PATH in the repository. True when it succeeded.
 *
 * @param log a file for its output, which goes straight through without one
 */
export async function runCommand(
  [command, ...args]: [string, ...string[]],
  env: NodeJS.ProcessEnv,
  log?: string,
): Promise<boolean> {
  const output = log === undefined ? 'inherit' : openSync(log, 'a')
  const child = spawn(command, args, {
    cwd: repoRoot,
    env,
    stdio: ['ignore', output, output],
    shell: process.platform === 'win32',
    // Its own group: an interrupt reaches its children too, and each only once.
    detached: process.platform !== 'win32',
  })
  const { pid } = child
  if (pid !== undefined) groups.add(pid)
  try {
    const [code] = await once(child, 'exit')
    return code === 0
  } catch (error) {
    console.error(error)
    return false
  } finally {
    if (pid !== undefined) groups.delete(pid)
    if (typeof output === 'number') closeSync(output)
  }
}

/** Ends the commands that are running: by SIGINT, after five seconds by SIGKILL. */
export async function stopCommands(): Promise<void> {
  for (const group of groups) signal(group, 'SIGINT')
  const deadline = Date.now() + 5_000
  while (groups.size > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50))
  for (const group of groups) signal(group, 'SIGKILL')
}

function signal(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? group : -group, name)
  } catch {
    // it has ended by itself
  }
}
