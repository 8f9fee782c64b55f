import 'server-only'
import { getAuth, readSession, sessionHeaders, weaknessOf } from '@/lib/auth'
import { audit, type Services } from '@/lib/runtime'
import { signInRequest, signOutEverywhereRequest, signUpRequest } from '../api/schemas/identity-schemas'
import { clientAddress } from '../http/client-address'
import { RequestRefusedError } from '../http/problem'
import { asGuest } from './guest-quota'
import { signedUp, withoutToken } from './identity-answers'
import { accountMark, limitAccount, limitAddress, rememberAddress } from './sign-in-limits'
import { steadily } from './steady'

/** A request to the identity service that may be made, with its body. */
export interface IdentityCall {
  services: Services
  request: Request
  body: unknown
  /** has the identity service answer, at the address of the request unless told */
  ask(body: object, path?: string): Promise<Response>
}

type Handler = (call: IdentityCall) => Promise<Response>

/** What stands between a `POST` below `/api/auth/` and the identity service. */
export const identityHandlers: Readonly<Record<string, Handler>> = {
  'sign-in/anonymous': comeInAsGuest,
  'sign-in/email': signIn,
  'sign-up/email': signUp,
  'sign-out': signOut,
  'sign-out-everywhere': signOutEverywhere,
}

async function comeInAsGuest({ services, request, ask }: IdentityCall): Promise<Response> {
  const address = clientAddress(request)
  await limitAddress(services, address, 'guests')
  const before = await readSession(request.headers)
  const answer = await asGuest(services, address, () => ask({}))
  if (!answer.ok) return answer
  await endSession(services, before?.session.id)
  audit('sign_in', { person: await personIn(answer), guest: true, address })
  return withoutToken(answer)
}

async function signIn({ services, request, body, ask }: IdentityCall): Promise<Response> {
  const given = signInRequest.parse(body)
  const address = clientAddress(request)
  await limitAddress(services, address)
  await limitAccount(services, given.email, address)
  const before = await readSession(request.headers)
  const answer = await steadily(() => ask(given))
  const account = accountMark(given.email)
  if (!answer.ok) {
    if (answer.status === 401) audit('sign_in_failed', { account, address })
    return answer
  }
  await rememberAddress(services, given.email, address)
  // the browser forgets its former session with the answer, which leaves it to thieves
  await endSession(services, before?.session.id)
  audit('sign_in', { person: await personIn(answer), guest: false, account, address })
  return withoutToken(answer)
}

async function signUp({ services, request, body, ask }: IdentityCall): Promise<Response> {
  const given = signUpRequest.parse(body)
  await limitAddress(services, clientAddress(request))
  const weakness = weaknessOf(given.password, given)
  if (weakness) throw new RequestRefusedError(400, 'weak_password', weakness)
  const answer = await steadily(() => ask(given))
  // 422: another request has just taken the address; which addresses exist is not told
  return answer.ok || answer.status === 422 ? signedUp() : answer
}

async function signOut({ services, request, ask }: IdentityCall): Promise<Response> {
  const before = await readSession(request.headers)
  const answer = await ask({})
  if (before) {
    await endSession(services, before.session.id)
    audit('sign_out', { person: before.user.id, address: clientAddress(request) })
  }
  return answer
}

/** Ends every session of the person, or every other one. */
async function signOutEverywhere({ services, request, body, ask }: IdentityCall): Promise<Response> {
  const { keep_this } = signOutEverywhereRequest.parse(body)
  const present = await readSession(request.headers)
  if (!present) {
    throw new RequestRefusedError(401, 'unauthenticated', 'Sign in first, as a guest or with your account.')
  }
  const { database, streams } = services
  const ended = await database.query(
    'delete from session where user_id = $1 and ($2::text is null or id <> $2) returning id',
    [present.user.id, keep_this ? present.session.id : null],
  )
  await streams.endRevoked()
  const address = clientAddress(request)
  audit('sessions_ended', { person: present.user.id, sessions: ended.length, address })
  const headers = new Headers({ 'cache-control': 'no-store' })
  if (!keep_this) {
    // takes the cookie back
    for (const cookie of (await ask({}, 'sign-out')).headers.getSetCookie())
      headers.append('set-cookie', cookie)
  }
  return Response.json({ ended: ended.length }, { headers })
}

/** Ends one session, and its streams here at once. Does nothing without one. */
async function endSession({ database, streams }: Services, sessionId: string | undefined): Promise<void> {
  if (sessionId !== undefined) await database.query('delete from session where id = $1', [sessionId])
  // a guest's other sessions may have ended with it
  await streams.endRevoked()
}

async function personIn(answer: Response): Promise<string | undefined> {
  const { user } = (await answer.clone().json()) as { user?: { id?: string } }
  return user?.id
}

/** `GET /api/auth/get-session`: the session and its user, renewed when it is a day old. */
export async function answerSession(request: Request): Promise<Response> {
  const auth = await getAuth()
  const headers = await sessionHeaders(request.headers)
  return withoutToken(await auth.handler(new Request(request.url, { headers })))
}
