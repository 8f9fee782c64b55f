import { parseArgs } from 'node:util'
import type { Env } from '../env.ts'
import { limitsOf } from '../limits.ts'
import { isLoopback } from './own-machine.ts'

/** Mode and listening address of a server. */
export interface ServeOptions {
  dev: boolean
  hostname: string
  port: number
}

/**
 * Reads the command line over the environment: `-H`/`--hostname`, `-p`/`--port`, as the framework's own command takes
 * them, and `--dev`.
 *
 * @throws Error with one line that names what is wrong
 */
export function readServeOptions(args: string[], env: { HOST: string; PORT: number }): ServeOptions {
  const { values } = parseArgs({
    args,
    options: {
      dev: { type: 'boolean', default: false },
      hostname: { type: 'string', short: 'H' },
      port: { type: 'string', short: 'p' },
    },
  })
  const port = values.port === undefined ? env.PORT : Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port cannot be "${values.port}"`)
  return { dev: values.dev, hostname: values.hostname ?? env.HOST, port }
}

/**
 * The warning for a server that other machines reach and that has a provider's key without a limit on its use; undefined
 * without such a risk.
 *
 * @param keys the names of the variables that hold provider keys
 */
export function openKeyWarning(
  hostname: string,
  env: Env,
  source: Readonly<Record<string, string | undefined>>,
  keys: readonly string[],
): string | undefined {
  const key = keys.find((name) => source[name]?.trim())
  if (key === undefined || isLoopback(hostname)) return undefined
  const { calls, tokens, site_calls, site_tokens } = limitsOf(env).quotas
  const limited = [calls, tokens, site_calls, site_tokens].some(Number.isFinite)
  if (limited) return undefined
  return `HOST=${hostname} lets everyone who reaches this machine spend ${key}: set RAMIFY_QUOTA_CALLS or RAMIFY_QUOTA_SITE_CALLS`
}
