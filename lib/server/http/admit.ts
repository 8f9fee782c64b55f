import 'server-only'
import { bearerOf, ownerFor, requireViewer, UnauthenticatedError, type Viewer } from '@/lib/auth'
import type { Services } from '@/lib/runtime'
import { clientAddress, isOwnOrigin } from '@/lib/runtime/front/request-origin'
import type { KeyScope } from '@/lib/store'
import { workAfterWrite } from './background'
import { RateWindow } from './pace'
import { RequestRefusedError } from './problem'

/**
 * The viewer of a route's request, once it has passed the door: a page asks for it as what it is, a write comes from a page
 * of ours or brings a key, the key's scope allows it, and reads and writes each stay within the viewer's rate.
 *
 * @param isPicture true when a page may draw the answer
 */
export async function admit(request: Request, { env, limits }: Services, isPicture = false): Promise<Viewer> {
  checkDestination(request, isPicture)
  const writes = isWrite(request)
  // a browser never sends a key unasked
  if (writes && bearerOf(request) === undefined) checkOrigin(request, env.BETTER_AUTH_URL)
  const viewer = await knownViewer(request, limits.readsPerMinute)
  admitUse(viewer, writes ? 'write' : 'read', { env, limits })
  return viewer
}

const isWrite = ({ method }: Request): boolean => method !== 'GET' && method !== 'HEAD'

/**
 * The viewer of an agent's request, which has a rate of its own: a run calls its model more often than a person writes.
 *
 * @param scope that the key needs
 */
export async function admitAgent(
  request: Request,
  { limits }: Pick<Services, 'limits'>,
  scope: KeyScope = isWrite(request) ? 'write' : 'read',
): Promise<Viewer> {
  checkDestination(request, false)
  const viewer = await knownViewer(request, limits.readsPerMinute)
  checkScope(viewer, scope)
  count('calls of agents', viewer.id, limits.callsPerMinute)
  if (isWrite(request)) workAfterWrite()
  return viewer
}

/** Lets a viewer read or write: the scopes of the viewer's key allow it (403), and it is within the viewer's rate (429). */
export function admitUse(
  viewer: Viewer,
  scope: KeyScope,
  { env, limits }: Pick<Services, 'env' | 'limits'>,
): void {
  checkScope(viewer, scope)
  if (scope === 'write') {
    checkRate(viewer.id, env.RAMIFY_RATE_LIMIT)
    workAfterWrite()
  } else checkReads(viewer, { limits })
}

/** Counts a read; more by one person in a minute than are allowed are refused (429). Per process. */
export function checkReads({ id }: Viewer, { limits }: Pick<Services, 'limits'>): void {
  count('reads', id, limits.readsPerMinute)
}

/**
 * The holder of the API key that a request brings, or the owner of this machine. A session does not count (401): a page of
 * another site could use it.
 */
export async function keyHolder(request: Request, { limits }: Pick<Services, 'limits'>): Promise<Viewer> {
  if (bearerOf(request) !== undefined) return knownViewer(request, limits.readsPerMinute)
  const owner = await ownerFor(request)
  if (owner) return owner
  checkStranger(request, { limits })
  const detail =
    'This address needs an API key: Authorization: Bearer rk_…. The settings make one, under API keys.'
  throw new RequestRefusedError(401, 'unauthenticated', detail)
}

/** Counts a request of an unknown sender; too many of one address in a minute are refused (429). Per process. */
export function checkStranger(request: Request, { limits }: Pick<Services, 'limits'>): void {
  count('strangers', clientAddress(request), limits.readsPerMinute)
}

/** A request's statement of its sender, before the lookup. */
export const credentialOf = (request: Request): string =>
  bearerOf(request) ?? request.headers.get('cookie') ?? clientAddress(request)

/**
 * Refuses a write that another site's page made with this browser's cookie: scheme, host and port of its `Origin` must
 * be ours. Requests without an Origin header come from no page. `publicUrl` is `BETTER_AUTH_URL`.
 */
export function checkOrigin(request: Request, publicUrl: string | undefined): void {
  const origin = request.headers.get('origin')
  if (origin === null || isOwnOrigin(origin, request.headers, publicUrl)) return
  throw new RequestRefusedError(403, 'wrong_origin', 'This request came from another site.')
}

/**
 * Refuses requests for parts of a page (403): a text on a page can name any address as a picture, and each
 * reader's browser would ask for it. Scripts of a page ask for `empty`, a person who follows a link for a
 * `document`.
 */
function checkDestination({ headers }: Request, isPicture: boolean): void {
  const destination = headers.get('sec-fetch-dest') ?? 'empty'
  if (['empty', 'document', ...(isPicture ? ['image'] : [])].includes(destination)) return
  const detail = `A page asked for this address as part of itself (${destination.slice(0, 40)}). Open it by a link, or ask for it from a program.`
  throw new RequestRefusedError(403, 'wrong_destination', detail)
}

/**
 * Counts requests without a viewer by their address: without a session and a key before any lookup, with a
 * wrong one after it.
 */
async function knownViewer(request: Request, perMinute: number): Promise<Viewer> {
  const address = clientAddress(request)
  if (bearerOf(request) === undefined && !request.headers.has('cookie')) {
    const owner = await ownerFor(request)
    if (owner) return owner
    count('strangers', address, perMinute)
    throw new UnauthenticatedError('session')
  }
  try {
    return await requireViewer(request, address)
  } catch (error) {
    if (error instanceof UnauthenticatedError) count('strangers', address, perMinute)
    throw error
  }
}

/**
 * Refuses (403) actions that a viewer's key may not do. A session may do everything, and so may the owner of
 * this machine.
 */
function checkScope({ credential }: Viewer, scope: KeyScope): void {
  if (credential.kind === 'session' || credential.scopes?.includes(scope)) return
  const allowed = scope === 'write' ? 'read' : 'write'
  const what = credential.kind === 'app' ? 'app' : 'API key'
  throw new RequestRefusedError(403, 'insufficient_scope', `This ${what} may only ${allowed}.`)
}

/**
 * Refuses (403) every API key: the change would decide who acts for a person, or where a person's prompts go.
 */
export function checkSession({ credential }: Viewer): void {
  if (credential.kind === 'session' || credential.kind === 'owner') return
  const detail = 'An API key cannot do this. Sign in, and do it in the settings.'
  throw new RequestRefusedError(403, 'insufficient_scope', detail)
}

const shared = globalThis as typeof globalThis & { __ramifyRates?: Record<Counted, RateWindow> }

/**
 * Kinds of requests, counted separately: a person's writes, a person's reads, an address's requests without a
 * session, requests of a person's agents, and a person's tests of keys.
 */
type Counted = 'writes' | 'reads' | 'strangers' | 'calls of agents' | 'tests of keys'

/** Requests to a provider that a person may cause with keys that are not saved, a minute. */
const KEY_TESTS = 10

/**
 * Counts a test of a provider's key; more than ten by one person in a minute are refused (429). Per process. `rate` is
 * `RAMIFY_RATE_LIMIT`: `off` lifts this limit too.
 */
export function checkKeyTests(userId: string, rate: number | 'off'): void {
  if (rate !== 'off') count('tests of keys', userId, KEY_TESTS)
}

/** Counts a write; more than `perMinute` by one person in a minute are refused (429). Per process. */
export function checkRate(userId: string, perMinute: number | 'off'): void {
  if (perMinute !== 'off') count('writes', userId, perMinute)
}

/** The setting of each limit. */
const limits: Record<Counted, string> = {
  writes: 'RAMIFY_RATE_LIMIT',
  reads: 'RAMIFY_READ_LIMIT',
  strangers: 'RAMIFY_READ_LIMIT',
  'calls of agents': 'RAMIFY_CALL_LIMIT',
  'tests of keys': 'tests of keys',
}

function count(counted: Counted, key: string, perMinute: number): void {
  shared.__ramifyRates ??= {
    writes: new RateWindow(),
    reads: new RateWindow(),
    strangers: new RateWindow(),
    'calls of agents': new RateWindow(),
    'tests of keys': new RateWindow(),
  }
  const wait = shared.__ramifyRates[counted].take(key, perMinute)
  if (wait === 0) return
  throw new RequestRefusedError(
    429,
    'too_many_requests',
    `Too many requests in a short time. Wait ${wait === 1 ? 'a second' : `${wait} seconds`} and try again.`,
    {
      limit: limits[counted],
      allowed: perMinute,
      retry_after: wait,
    },
  )
}
