import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { CommandError } from '../errors'
import type { World } from '../terminal'

/** Signals that a terminal does not send to both. */
const passed = ['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const

/** The end of a command. */
export interface ChildEnd {
  code: number
  signal: NodeJS.Signals | null
}

/**
 * Runs a command in the terminal of this process: its streams are the command's own, and signals reach it.
 *
 * @throws CommandError where there is no such command
 */
export async function runChild(
  { command, args }: { command: string; args: readonly string[] },
  { env, cwd, world }: { env: NodeJS.ProcessEnv; cwd: string; world: Pick<World, 'stdin' | 'onInterrupt'> },
): Promise<ChildEnd> {
  const child = spawn(command, args, { cwd, env, stdio: 'inherit' })
  const pass = (signal: NodeJS.Signals) => void child.kill(signal)
  // a terminal sends Ctrl-C to the command as well
  const stopListening = world.onInterrupt(() => !world.stdin.isTTY && pass('SIGINT'), { patient: true })
  for (const signal of passed) process.on(signal, pass)
  try {
    return await new Promise<ChildEnd>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => reject(refusalOf(command, error)))
      child.once('exit', (code, signal) =>
        resolve({ signal, code: code ?? 128 + (signal ? constants.signals[signal] : 0) }),
      )
    })
  } finally {
    stopListening()
    for (const signal of passed) process.off(signal, pass)
  }
}

const refusalOf = (command: string, { code, message }: NodeJS.ErrnoException): CommandError =>
  new CommandError(
    code === 'ENOENT'
      ? `There is no command “${command}”. Install it, or give its path.`
      : `“${command}” cannot be run: ${message}.`,
  )
