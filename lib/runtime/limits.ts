import type { Env } from './env'

/**
 * The quotas: the setting that changes each, and its default for a server on the public internet. `branches` counts for
 * each chat; `address_…` and `site_…` count for all persons at a network address or on the site.
 */
export const quotas = {
  // in all
  chats: ['RAMIFY_QUOTA_CHATS', 20_000],
  branches: ['RAMIFY_QUOTA_BRANCHES', 2000],
  bytes: ['RAMIFY_QUOTA_BYTES', 1_000_000_000],
  // a day
  messages: ['RAMIFY_QUOTA_MESSAGES', 2000],
  calls: ['RAMIFY_QUOTA_CALLS', 2000],
  tokens: ['RAMIFY_QUOTA_TOKENS', 5_000_000],
  address_guests: ['RAMIFY_QUOTA_ADDRESS_GUESTS', 200],
  address_chats: ['RAMIFY_QUOTA_ADDRESS_CHATS', 20_000],
  address_bytes: ['RAMIFY_QUOTA_ADDRESS_BYTES', 2_000_000_000],
  address_messages: ['RAMIFY_QUOTA_ADDRESS_MESSAGES', 10_000],
  address_calls: ['RAMIFY_QUOTA_ADDRESS_CALLS', 10_000],
  address_tokens: ['RAMIFY_QUOTA_ADDRESS_TOKENS', 20_000_000],
  site_calls: ['RAMIFY_QUOTA_SITE_CALLS', 100_000],
  site_tokens: ['RAMIFY_QUOTA_SITE_TOKENS', 100_000_000],
} as const

type Quotas = Record<keyof typeof quotas, number>

/** Limits at once, a minute, a day or in all; `Infinity` means no limit. */
export interface Limits {
  /** requests that read, per person and minute */
  readsPerMinute: number
  /** requests of agents, per person and minute */
  callsPerMinute: number
  /** attempts to sign in or sign up, per address and per account and minute */
  signInsPerMinute: number
  /** replies written at the same time */
  repliesPerPerson: number
  repliesPerServer: number
  /** API keys of a person */
  keys: number
  /** open streams, per server process: of a person, and of all persons at one network address */
  streams: number
  addressStreams: number
  quotas: Quotas
}

/**
 * The limits that the environment sets. A limit that it does not set has a default meant for a server on the public
 * internet; without `DATABASE_URL` (a laptop), or with `RAMIFY_RATE_LIMIT=off`, only the limits that protect the process
 * itself have one.
 */
export function limitsOf(env: Env): Limits {
  const open = env.DATABASE_URL === undefined || env.RAMIFY_RATE_LIMIT === 'off'
  const among = (set: number | 'off' | undefined, fallback: number) =>
    set === 'off' ? Number.POSITIVE_INFINITY : (set ?? fallback)
  const onServers = (set: number | 'off' | undefined, fallback: number) =>
    among(set, open ? Number.POSITIVE_INFINITY : fallback)
  const unlessOff = (set: number | 'off' | undefined, fallback: number) =>
    among(set, env.RAMIFY_RATE_LIMIT === 'off' ? Number.POSITIVE_INFINITY : fallback)
  return {
    readsPerMinute: unlessOff(env.RAMIFY_READ_LIMIT, 1200),
    callsPerMinute: onServers(env.RAMIFY_CALL_LIMIT, 600),
    signInsPerMinute: unlessOff(env.RAMIFY_SIGN_IN_LIMIT, 10),
    repliesPerPerson: unlessOff(env.RAMIFY_REPLIES_PER_PERSON, 16),
    // the embedded database shares its thread with everything else
    repliesPerServer: among(env.RAMIFY_REPLIES_PER_SERVER, env.DATABASE_URL ? 64 : 32),
    keys: among(env.RAMIFY_QUOTA_KEYS, 100),
    streams: among(env.RAMIFY_QUOTA_STREAMS, 100),
    addressStreams: onServers(env.RAMIFY_QUOTA_ADDRESS_STREAMS, 1000),
    quotas: Object.fromEntries(
      Object.entries(quotas).map(([name, [setting, fallback]]) => [name, onServers(env[setting], fallback)]),
    ) as Quotas,
  }
}
