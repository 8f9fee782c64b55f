import { spawn } from 'node:child_process'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Client, Way } from './clients'

/** How long one command of a client may take, in ms. */
const WITHIN = 180_000

/** What the commands of a client said and how they ended. */
export interface Ran {
  output: string
  /** the exit code of each command; null where it was ended after three minutes */
  codes: (number | null)[]
}

/**
 * Runs a client's session in a new home, with an environment that holds nothing of this process but the way to its programs.
 *
 * @param bins the folder of installed commands
 */
export async function runClient(client: Client, way: Way, bins: string): Promise<Ran> {
  const work = path.join(way.home, 'work')
  await rm(way.home, { recursive: true, force: true })
  await mkdir(work, { recursive: true })
  await writeFile(path.join(work, 'add.mjs'), 'export const add = (a, b) => a - b\n')
  for (const [name, text] of Object.entries(client.files?.(way) ?? {})) {
    await mkdir(path.dirname(path.join(way.home, name)), { recursive: true })
    await writeFile(path.join(way.home, name), text)
  }
  // where a script looks for its libraries
  await symlink(path.dirname(bins), path.join(way.home, 'node_modules'))
  const env: Record<string, string> = {
    PATH: [bins, path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter),
    HOME: way.home,
    TERM: 'dumb',
    DO_NOT_TRACK: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    ...client.env(way),
  }
  const ran: Ran = { output: '', codes: [] }
  for (const words of client.commands(way)) {
    const child = spawn(client.bin ? path.join(bins, client.bin) : process.execPath, words, {
      cwd: work,
      // Next's types want NODE_ENV, which a person's shell has not
      env: env as NodeJS.ProcessEnv,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        ran.output += data.toString()
      })
    const end = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), WITHIN)
    ran.codes.push(await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve)))
    clearTimeout(end)
  }
  return ran
}
