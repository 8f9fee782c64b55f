import 'server-only'
import { RequestRefusedError } from './problem'
import { RateWindow } from './rate-window'

const shared = globalThis as typeof globalThis & { __ramifyRates?: Record<Counted, RateWindow> }

/** What is counted, each for itself: what a person writes, what they read, and what an address asks without a session. */
type Counted = 'writes' | 'reads' | 'strangers'

function count(counted: Counted, key: string, perMinute: number): void {
  shared.__ramifyRates ??= { writes: new RateWindow(), reads: new RateWindow(), strangers: new RateWindow() }
  const wait = shared.__ramifyRates[counted].take(key, perMinute)
  if (wait === 0) return
  throw new RequestRefusedError(
    429,
    'too_many_requests',
    `That was a lot at once. Wait ${wait === 1 ? 'a second' : `${wait} seconds`} and go on.`,
    {
      limit: counted === 'writes' ? 'RAMIFY_RATE_LIMIT' : 'RAMIFY_READ_LIMIT',
      allowed: perMinute,
      retry_after: wait,
    },
  )
}

/** Counts a write; more than `perMinute` by one person in a minute are refused (429). Per process. */
export function checkRate(userId: string, perMinute: number | 'off'): void {
  if (perMinute !== 'off') count('writes', userId, perMinute)
}

/** Counts a read; more than `perMinute` by one person in a minute are refused (429). Per process. */
export function checkReads(userId: string, perMinute: number): void {
  count('reads', userId, perMinute)
}

/** Counts a request without a session or key; more than `perMinute` from one address are refused (429). Per process. */
export function checkStranger(address: string, perMinute: number): void {
  count('strangers', address, perMinute)
}
