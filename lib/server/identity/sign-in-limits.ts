import 'server-only'
import { QuotaExceededError } from '@/lib/context'
import { accountMark, auditQuota, logError, type Services } from '@/lib/runtime'
import { type Count, giveGuestBack, secondsLeftOfDay, takeGuest } from '@/lib/store'
import { RequestRefusedError } from '../http/problem'

const MINUTE = 60
const QUARTER = 15 * MINUTE
const DAY = 24 * 60 * MINUTE

/** Attempts at one account in a day, in minutes of the limit. After those, one every 15 minutes is allowed. */
const MINUTES_A_DAY = 10
/** Requests of an unknown address share one limit, which must be enough for a whole site. */
const UNKNOWN_SHARES = 60
/** A guest has no password to guess, and a class or an office may start at the same time. */
const GUEST_SHARES = 6
/** Time for which the address of a sign-in is remembered. */
const REMEMBERED = 30 * DAY

/**
 * Counts an attempt to sign in or up; sign-ins of guests, and questions that guess nothing, are counted separately. Too many attempts of one address in a
 * minute are refused (429).
 */
export async function limitAddress(
  { attempts, limits }: Services,
  address: string,
  what: 'address' | 'guests' = 'address',
): Promise<void> {
  if (limits.signInsPerMinute === Number.POSITIVE_INFINITY) return
  const shares = (address === 'unknown' ? UNKNOWN_SHARES : 1) * (what === 'guests' ? GUEST_SHARES : 1)
  const allowed = limits.signInsPerMinute * shares
  await limitMinute(attempts, `${what}:${address}`, allowed)
}

/**
 * Counts an attempt to sign in to an account, from all addresses together: up to the limit in a minute, ten times that in a
 * day, and after those one every 15 minutes. An address that signed in to the account within 30 days is counted
 * separately: other people's attempts do not lock the owner out there.
 */
export async function limitAccount(
  { attempts, limits }: Services,
  email: string,
  address: string,
): Promise<void> {
  const allowed = limits.signInsPerMinute
  if (allowed === Number.POSITIVE_INFINITY) return
  const mark = accountMark(email)
  const isKnown = await attempts.has(knownKey(mark, address))
  const of = isKnown ? `${mark}:${address}` : mark
  await limitMinute(attempts, `account:${of}`, allowed)
  const [day, quarter] = await attempts.count(
    { key: `account-day:${of}`, seconds: DAY },
    { key: `account-slow:${of}`, seconds: QUARTER },
  )
  if (day && quarter && day.count > allowed * MINUTES_A_DAY && quarter.count > 1) {
    throw refusal(allowed * MINUTES_A_DAY, { count: day.count, freesIn: quarter.freesIn })
  }
}

/** Letters to one address in a quarter of an hour. */
const LETTERS = 3

/** Counts a letter to an address, whether or not there is an account: no post box is filled from here. */
export async function limitLetters({ attempts, limits }: Services, email: string): Promise<void> {
  if (limits.signInsPerMinute === Number.POSITIVE_INFINITY) return
  const [letters] = await attempts.count({ key: `letters:${accountMark(email)}`, seconds: QUARTER })
  if (!letters || letters.count <= LETTERS) return
  throw new RequestRefusedError(
    429,
    'too_many_requests',
    `${LETTERS} links were sent to this address in the last minutes. Use the latest, or wait ${Math.ceil(letters.freesIn / MINUTE)} minutes.`,
    { limit: 'letters', allowed: LETTERS, used: letters.count, retry_after: letters.freesIn },
  )
}

/** Notes that an address signed in to an account. */
export async function rememberAddress(
  { attempts, limits }: Services,
  email: string,
  address: string,
): Promise<void> {
  if (limits.signInsPerMinute === Number.POSITIVE_INFINITY || address === 'unknown') return
  await attempts.note({ key: knownKey(accountMark(email), address), seconds: REMEMBERED })
}

/** Answers a new guest, if its address may have another one today. A guest that was refused is not counted. */
export async function asGuest(
  { database, limits }: Services,
  address: string,
  answer: () => Promise<Response>,
): Promise<Response> {
  const allowed = limits.quotas.address_guests
  // all guests of the site would share the limit of an unknown address
  if (!Number.isFinite(allowed) || address === 'unknown') return answer()
  if (!(await takeGuest(database, address, allowed))) {
    const left = secondsLeftOfDay(Date.now())
    const refusal = new QuotaExceededError('address_guests', allowed, allowed, left)
    auditQuota(refusal, address)
    throw refusal
  }
  const giveBack = () =>
    giveGuestBack(database, address).catch((error: unknown) => logError('counting guests', error))
  try {
    const response = await answer()
    if (!response.ok) await giveBack()
    return response
  } catch (error) {
    await giveBack()
    throw error
  }
}

const knownKey = (mark: string, address: string): string => `known:${mark}:${address}`

async function limitMinute(attempts: Services['attempts'], key: string, allowed: number): Promise<void> {
  const [minute] = await attempts.count({ key, seconds: MINUTE })
  if (minute && minute.count > allowed) throw refusal(allowed, minute)
}

function refusal(allowed: number, { count, freesIn }: Count): RequestRefusedError {
  const wait = freesIn > MINUTE ? `${Math.ceil(freesIn / MINUTE)} minutes` : 'a minute'
  return new RequestRefusedError(
    429,
    'too_many_requests',
    `Too many attempts to sign in. Wait ${wait} and try again.`,
    { limit: 'sign_in', allowed, used: count, retry_after: freesIn },
  )
}
