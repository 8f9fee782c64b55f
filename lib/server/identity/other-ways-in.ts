import 'server-only'
import { ACCOUNT_PAGE, getAuth, readSession, signInHeaders } from '@/lib/auth'
import { audit, getServices } from '@/lib/runtime'
import { clientAddress, ownOrigin } from '@/lib/runtime/front/request-origin'
import { RequestRefusedError } from '../http/problem'
import { withoutToken } from './identity-answers'
import type { IdentityCall } from './identity-operation'
import { ownSession } from './own-account'
import { endSession, personIn } from './sign-in'
import { limitAddress } from './sign-in-limits'

/** The services that an operator can switch on, by name. */
export const socialNames = { github: 'GitHub', google: 'Google' } as const
export type SocialName = keyof typeof socialNames

/** Address for signing in with another service. */
export async function answerSocial({
  services,
  request,
  body: { provider, back: question },
  ask,
}: IdentityCall<{ provider: SocialName; back?: string | undefined }>): Promise<Response> {
  await limitAddress(services, clientAddress(request))
  const isOn = provider === 'github' ? services.env.GITHUB_CLIENT_ID : services.env.GOOGLE_CLIENT_ID
  if (!isOn) {
    const detail = `Signing in with ${socialNames[provider]} is not set up on this server.`
    throw new RequestRefusedError(404, 'not_found', detail)
  }
  const back = { callbackURL: question ?? '/', errorCallbackURL: ACCOUNT_PAGE }
  return ask({ provider, ...back, disableRedirect: true })
}

/** The way back from another service: its session takes the place of the one before, and a guest's chats come along. */
export async function answerSocialCallback(request: Request): Promise<Response> {
  const services = await getServices()
  const address = clientAddress(request)
  await limitAddress(services, address)
  const { pathname, search } = new URL(request.url)
  const own = ownOrigin(request.headers, services.env.BETTER_AUTH_URL) ?? new URL(request.url).origin
  const before = await readSession(request.headers)
  const headers = await signInHeaders(request.headers)
  const answer = await (await getAuth()).handler(new Request(`${own}${pathname}${search}`, { headers }))
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const present = await readSession(new Headers({ cookie }))
  if (!present) return answer.status < 400 ? answer : backToAccount()
  if (before && before.session.id !== present.session.id) await endSession(services, before.session.id)
  else await services.streams.endRevoked()
  audit('sign_in', { person: present.user.id, guest: false, by: pathname.split('/').at(-1), address })
  return answer
}

/** Sends a browser back to its account page when its callback is unreadable. */
const backToAccount = () =>
  new Response(null, {
    status: 302,
    headers: { location: `${ACCOUNT_PAGE}?error=invalid_callback_request`, 'cache-control': 'no-store' },
  })

/** Options for a browser to sign in with a passkey. */
export async function answerPasskeyAsked({ services, request, ask }: IdentityCall): Promise<Response> {
  await limitAddress(services, clientAddress(request), 'guests')
  return ask(null, 'passkey/generate-authenticate-options')
}

/** Signs in with a passkey. */
export async function answerPasskeySignIn({
  services,
  request,
  body: { response },
  ask,
}: IdentityCall<{ response: object }>): Promise<Response> {
  const address = clientAddress(request)
  await limitAddress(services, address)
  const before = await readSession(request.headers)
  const answer = await ask({ response }, 'passkey/verify-authentication')
  if (!answer.ok) {
    if (answer.status >= 500) return answer
    audit('sign_in_failed', { by: 'passkey', address })
    throw new RequestRefusedError(401, 'invalid_passkey', 'No account has this passkey. Sign in another way.')
  }
  await endSession(services, before?.session.id)
  audit('sign_in', { person: await personIn(answer), guest: false, by: 'passkey', address })
  return withoutToken(answer)
}

/** Options for a browser to make a passkey. */
export async function answerPasskeyOffered({ services, request, ask }: IdentityCall): Promise<Response> {
  const { user } = await ownSession(request)
  await limitAddress(services, clientAddress(request), 'guests')
  const [row] = await services.database.query<{ count: number }>(
    'select count(*)::int as count from passkey where user_id = $1',
    [user.id],
  )
  if ((row?.count ?? 0) >= MOST_PASSKEYS) {
    const detail = `You have ${MOST_PASSKEYS} passkeys, which is the most. Remove one first.`
    throw new RequestRefusedError(409, 'too_many_passkeys', detail)
  }
  return notFresh(await ask(null, 'passkey/generate-register-options'))
}

const MOST_PASSKEYS = 20

/** Adds a passkey to the account. */
export async function answerPasskeyAdded({
  request,
  body: { name, response },
  ask,
}: IdentityCall<{ name: string; response: object }>): Promise<Response> {
  const { user } = await ownSession(request)
  const address = clientAddress(request)
  const answer = notFresh(await ask({ name, response }, 'passkey/verify-registration'))
  if (!answer.ok) {
    if (answer.status >= 500 || answer.status === 403) return answer
    const detail = 'This passkey could not be checked. Try again.'
    throw new RequestRefusedError(400, 'invalid_passkey', detail)
  }
  audit('passkey_added', { person: user.id, address })
  return Response.json({ added: true }, { headers: { 'cache-control': 'no-store' } })
}

/** A stranger at a browser that was left open does not get a way in for later. */
function notFresh(answer: Response): Response {
  if (answer.status !== 403) return answer
  const detail = 'You signed in more than a day ago. Sign in again, then add the passkey.'
  throw new RequestRefusedError(403, 'session_not_fresh', detail)
}
