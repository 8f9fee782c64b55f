import type { Env } from './env'

/** How much is allowed at once, in a minute, in a day or in all; `Infinity` where there is no limit. */
export interface Limits {
  /** requests that read, per person and minute */
  readsPerMinute: number
  /** attempts to sign in or sign up, per address and per account and minute */
  signInsPerMinute: number
  /** replies written at the same time */
  repliesPerPerson: number
  repliesPerServer: number
  person: {
    /** in all */
    chats: number
    branchesPerChat: number
    bytes: number
    keys: number
    /** a day */
    messages: number
    calls: number
    tokens: number
    /** at once, per server process */
    streams: number
  }
  /** of all persons at one network address */
  address: {
    /** a day */
    guests: number
    chats: number
    bytes: number
    messages: number
    calls: number
    tokens: number
    /** at once, per server process */
    streams: number
  }
  /** of everybody: the operator's budget, a day */
  site: { calls: number; tokens: number }
}

/**
 * The limits that the environment sets. What it does not set has a default meant for a server on the public internet;
 * without `DATABASE_URL` (a laptop), or with `RAMIFY_RATE_LIMIT=off`, only what guards the process itself has one.
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
    signInsPerMinute: unlessOff(env.RAMIFY_SIGN_IN_LIMIT, 10),
    repliesPerPerson: unlessOff(env.RAMIFY_REPLIES_PER_PERSON, 16),
    // the embedded database shares its thread with everything else
    repliesPerServer: among(env.RAMIFY_REPLIES_PER_SERVER, env.DATABASE_URL ? 64 : 32),
    person: {
      chats: onServers(env.RAMIFY_QUOTA_CHATS, 5000),
      branchesPerChat: onServers(env.RAMIFY_QUOTA_BRANCHES, 2000),
      bytes: onServers(env.RAMIFY_QUOTA_BYTES, 1_000_000_000),
      keys: among(env.RAMIFY_QUOTA_KEYS, 100),
      messages: onServers(env.RAMIFY_QUOTA_MESSAGES, 2000),
      calls: onServers(env.RAMIFY_QUOTA_CALLS, 2000),
      tokens: onServers(env.RAMIFY_QUOTA_TOKENS, 5_000_000),
      streams: among(env.RAMIFY_QUOTA_STREAMS, 100),
    },
    address: {
      guests: onServers(env.RAMIFY_QUOTA_ADDRESS_GUESTS, 200),
      chats: onServers(env.RAMIFY_QUOTA_ADDRESS_CHATS, 5000),
      bytes: onServers(env.RAMIFY_QUOTA_ADDRESS_BYTES, 2_000_000_000),
      messages: onServers(env.RAMIFY_QUOTA_ADDRESS_MESSAGES, 10_000),
      calls: onServers(env.RAMIFY_QUOTA_ADDRESS_CALLS, 10_000),
      tokens: onServers(env.RAMIFY_QUOTA_ADDRESS_TOKENS, 20_000_000),
      streams: onServers(env.RAMIFY_QUOTA_ADDRESS_STREAMS, 1000),
    },
    site: {
      calls: onServers(env.RAMIFY_QUOTA_SITE_CALLS, 100_000),
      tokens: onServers(env.RAMIFY_QUOTA_SITE_TOKENS, 100_000_000),
    },
  }
}
