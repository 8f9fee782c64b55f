import 'server-only'
import { getAuth } from '@/lib/auth'
import { QuotaExceededError } from '@/lib/context'
import { auditQuota, getServices, logError, type Services } from '@/lib/runtime'
import { giveGuestBack, secondsLeftOfDay, takeGuest } from '@/lib/store'
import { checkOrigin } from './check-origin'
import { clientAddress } from './client-address'
import { networkOf } from './counted'
import { problemResponse } from './define-route'
import { identityRoutes } from './identity-routes'
import { RequestRefusedError } from './problem'
import { readBody } from './read-body'

/** Names, addresses and passwords are short. */
const MAX_BODY = 10_000

/** `/api/auth/…`, answered by the identity service once the request has passed the same checks as any other. */
export async function handleAuth(request: Request): Promise<Response> {
  try {
    const path = new URL(request.url).pathname.replace('/api/auth/', '')
    if (!identityRoutes.has(`${request.method} ${path}`))
      throw new RequestRefusedError(404, 'not_found', 'Not found')
    const auth = await getAuth()
    if (request.method === 'GET') return await auth.handler(request)
    const services = await getServices()
    const { env } = services
    checkOrigin(request, env.BETTER_AUTH_URL)
    const body = await readBody(request, MAX_BODY)
    const { url, method } = request
    const headers = new Headers(request.headers)
    // the identity service wants one beside every cookie; a script sends none, and what comes from no page needs none
    if (!headers.has('origin')) headers.set('origin', new URL(env.BETTER_AUTH_URL ?? url).origin)
    const answer = () => auth.handler(new Request(url, { method, headers, body: JSON.stringify(body) }))
    const response = await (path === 'sign-in/anonymous' ? asGuest(services, request, answer) : answer())
    if (response.status !== 429) return response
    throw new RequestRefusedError(
      429,
      'too_many_requests',
      'Too many attempts to sign in. Wait a minute and try again.',
    )
  } catch (error) {
    return problemResponse(error)
  }
}

/** Lets a guest begin, if its address may have another one today; one that did not begin is not counted. */
async function asGuest(
  { database, limits }: Services,
  request: Request,
  answer: () => Promise<Response>,
): Promise<Response> {
  const allowed = limits.address.guests
  if (!Number.isFinite(allowed)) return answer()
  const address = networkOf(clientAddress(request))
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
