import type { Env } from '../env.ts'
import { limitsOf } from '../limits.ts'
import { isLoopback } from './serve-options.ts'

/**
 * The line that warns of a server that others reach, with a provider's key behind it and no limit on its use; undefined
 * when there is nothing to warn of.
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
