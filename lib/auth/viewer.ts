import 'server-only'
import { headers } from 'next/headers'
import { audit, getServices, onBehalfOf } from '@/lib/runtime'
import { isFromHere } from '@/lib/runtime/front/own-machine'
import type { Credential, KeyScope } from '@/lib/store'
import { getAuth } from './auth'

/** The person a request comes from, and the credential it brings. */
export interface Viewer {
  id: string
  name: string
  guest: boolean
  /**
   * a session of a browser, or none at a machine of one owner; a key of a script or the token of an app, which may do less and
   * for a shorter time
   */
  credential: Credential & { scopes?: readonly KeyScope[]; expiresAt?: number | null }
}

/** The request has no session, not even a guest's, or its key or token is wrong, expired or revoked. */
export class UnauthenticatedError extends Error {
  override readonly name = 'UnauthenticatedError'

  constructor(readonly lacks: Credential['kind']) {
    super({ session: 'No session', key: 'No such key', app: 'No such token', owner: 'No owner' }[lacks])
  }
}

/**
 * The owner of this machine, when it is one of one owner and a request was sent on it; undefined otherwise, and with a key,
 * which counts.
 *
 * @param options.opensPage as `isFromHere` takes it
 */
export async function ownerFor(
  request: { headers: Headers },
  options: { opensPage?: boolean } = {},
): Promise<Viewer | undefined> {
  const { owner } = await getServices()
  if (!owner.isPossible || bearerOf(request) !== undefined || !isFromHere(request.headers, options)) return
  const found = await owner.find()
  if (!found) return undefined
  return { ...found, guest: false, credential: { kind: 'owner', id: found.id, scopes: ['read', 'write'] } }
}

/**
 * The viewer of the current request: the owner of this machine, or by its session cookie; null before the first write.
 *
 * @param renews true when a session that is a day old begins its 30 days again: only where an answer can carry the cookie,
 *   which is not while a page is rendered
 */
export async function readViewer({ renews = false } = {}): Promise<Viewer | null> {
  const sent = await headers()
  return (await ownerFor({ headers: sent }, { opensPage: true })) ?? sessionViewer(sent, renews)
}

async function sessionViewer(sent: Headers, renews: boolean): Promise<Viewer | null> {
  const session = await readSession(sent, { renews })
  if (!session) return null
  const { id, name, isAnonymous } = session.user
  return { id, name, guest: isAnonymous ?? false, credential: { kind: 'session', id: session.session.id } }
}

/** The session that a request's cookie names; null without one. `renews` as of `readViewer`. */
export async function readSession(sent: Headers, { renews = false } = {}) {
  const auth = await getAuth()
  const query = renews ? {} : { disableRefresh: true }
  const known = await sessionHeaders(sent)
  // the person is unknown before the answer; until then the cookie identifies the person
  return onBehalfOf(sent.get('cookie') ?? '', () => auth.api.getSession({ headers: known, query }))
}

/**
 * The headers of a request as the identity service understands them. The session cookie's former name counts only for
 * sessions from before the change: a page of a subdomain could set it.
 */
export async function sessionHeaders(sent: Headers): Promise<Headers> {
  const auth = await getAuth()
  const former = auth.options.advanced.defaultCookieAttributes.secure ? withFormerCookie(sent) : undefined
  if (!former) return sent
  const known = await auth.api.getSession({ headers: former, query: { disableRefresh: true } })
  const { database } = await getServices()
  const [row] = await database.query('select 1 from session where id = $1 and former_cookie', [
    known?.session.id ?? '',
  ])
  return row ? former : sent
}

/**
 * As `sessionHeaders`, without the cookie of a session that has ended: of two answers in one, the identity service would
 * take back the cookie of the new session that a sign-in has begun.
 */
export async function signInHeaders(sent: Headers): Promise<Headers> {
  const auth = await getAuth()
  const known = await sessionHeaders(sent)
  const cookie = known.get('cookie')
  if (!cookie || (await auth.api.getSession({ headers: known, query: { disableRefresh: true } })))
    return known
  const { name } = (await auth.$context).authCookies.sessionToken
  const others = cookie.split(/;\s*/).filter((one) => !one.startsWith(`${name}=`))
  const headers = new Headers(known)
  if (others.length > 0) headers.set('cookie', others.join('; '))
  else headers.delete('cookie')
  return headers
}

/**
 * As `readViewer`, but rejects with `UnauthenticatedError`. With the request of a route, a bearer token counts before a
 * cookie: a wrong or revoked key is refused even beside a valid session.
 *
 * @param address the network address the request came from
 */
export async function requireViewer(request?: Request, address = 'unknown'): Promise<Viewer> {
  const key = request && bearerOf(request)
  if (key !== undefined) return holderOf(key, address)
  // without `opensPage`: links of other sites open only pages
  const viewer = request
    ? ((await ownerFor(request)) ?? (await sessionViewer(request.headers, true)))
    : await readViewer({ renews: true })
  if (!viewer) throw new UnauthenticatedError('session')
  return viewer
}

async function holderOf(key: string, address: string): Promise<Viewer> {
  const { apiKeys } = await getServices()
  const holder = await apiKeys.holder(key, address)
  if (!holder) throw new UnauthenticatedError('key')
  const { keyId, scopes, expiresAt, fromNewAddress, ...person } = holder
  if (fromNewAddress) audit('key_first_used', { person: person.id, key: keyId, address })
  return { ...person, credential: { kind: 'key', id: keyId, scopes, expiresAt } }
}

/** The bearer token of a request, empty when it names none; undefined when it has none, or other credentials. */
export function bearerOf(request: { headers: Headers }): string | undefined {
  const [scheme, token = ''] = (request.headers.get('authorization') ?? '').split(/\s+/)
  return scheme?.toLowerCase() === 'bearer' ? token : undefined
}

const HOST = '__Host-better-auth.session_token'
const FORMER = '__Secure-better-auth.session_token'

/**
 * The same headers with the session cookie of the former name under the present one; undefined when there is nothing to
 * translate: no former cookie, or a present one beside it, which counts.
 */
function withFormerCookie(headers: Headers): Headers | undefined {
  const cookies = (headers.get('cookie') ?? '').split(/;\s*/)
  const former = cookies.find((cookie) => cookie.startsWith(`${FORMER}=`))
  if (!former || cookies.some((cookie) => cookie.startsWith(`${HOST}=`))) return undefined
  const translated = new Headers(headers)
  translated.set('cookie', [...cookies, `${HOST}${former.slice(FORMER.length)}`].join('; '))
  return translated
}
