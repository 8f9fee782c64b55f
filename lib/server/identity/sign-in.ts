import 'server-only'
import { getAuth, ownerFor, readSession, sessionHeaders, weaknessOf } from '@/lib/auth'
import { accountMark, audit, type Services } from '@/lib/runtime'
import { clientAddress } from '@/lib/runtime/front/request-origin'
import { RequestRefusedError, sentences } from '../http/problem'
import { signedUp, withoutToken } from './identity-answers'
import type { IdentityCall } from './identity-operation'
import { asGuest, limitAccount, limitAddress, rememberAddress } from './sign-in-limits'
import { steadily } from './steadily'

/** Signs in a new guest. A machine of one owner has no sign-in: the answer names the owner. */
export async function answerGuest({ services, request, ask }: IdentityCall): Promise<Response> {
  const owner = await ownerFor(request)
  if (owner) {
    const user = { id: owner.id, name: owner.name }
    return Response.json({ user }, { headers: { 'cache-control': 'no-store' } })
  }
  if (services.env.RAMIFY_GUESTS === 'off') {
    const detail = 'This server has no guests. Sign in, or sign up for an account.'
    throw new RequestRefusedError(401, 'guests_off', detail)
  }
  const address = clientAddress(request)
  await limitAddress(services, address, 'guests')
  const before = await readSession(request.headers)
  const answer = await asGuest(services, address, () => ask({}))
  if (!answer.ok) return answer
  await endSession(services, before?.session.id)
  audit('sign_in', { person: await personIn(answer), guest: true, address })
  return withoutToken(answer)
}

/** Signs in to an account. */
export async function answerSignIn({
  services,
  request,
  body: given,
  ask,
}: IdentityCall<{ email: string; password: string; rememberMe?: boolean | undefined }>): Promise<Response> {
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
  // this answer replaces the cookie of the former session, which a thief could still use
  await endSession(services, before?.session.id)
  audit('sign_in', { person: await personIn(answer), guest: false, account, address })
  return withoutToken(answer)
}

/** Longer than hashing a password and storing an account take, in ms: for a known address only the first is done. */
const SIGN_UP = 500

/** Creates an account. The answer does not tell whether the address was taken. */
export async function answerSignUp({
  services,
  request,
  body: given,
  ask,
}: IdentityCall<{ email: string; password: string; name: string }>): Promise<Response> {
  if (services.env.RAMIFY_DEMO === 'on') {
    const detail = 'This is a demo: it has guests alone. Run Ramify yourself to keep your chats.'
    throw new RequestRefusedError(403, 'no_accounts', detail)
  }
  await limitAddress(services, clientAddress(request))
  const weakness = weaknessOf(given.password, given)
  if (weakness) throw new RequestRefusedError(400, 'weak_password', weakness)
  const answer = await steadily(() => ask(given), SIGN_UP)
  // 422: another request has just taken the address, which the answer must not tell
  return answer.ok || answer.status === 422 ? signedUp() : answer
}

/** Ends the session of the request. */
export async function answerSignOut({ services, request, ask }: IdentityCall): Promise<Response> {
  const before = await readSession(request.headers)
  const answer = await ask({})
  if (before) {
    await endSession(services, before.session.id)
    audit('sign_out', { person: before.user.id, address: clientAddress(request) })
  }
  return answer
}

/** Ends every session of the person, or every other one. */
export async function answerSignOutEverywhere({
  services,
  request,
  body: { keep_this },
  ask,
}: IdentityCall<{ keep_this: boolean }>): Promise<Response> {
  const present = await readSession(request.headers)
  if (!present) throw new RequestRefusedError(401, 'unauthenticated', sentences.unauthenticated)
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
    // removes the cookie
    for (const cookie of (await ask({}, 'sign-out')).headers.getSetCookie())
      headers.append('set-cookie', cookie)
  }
  return Response.json({ ended: ended.length }, { headers })
}

/** Ends one session, and its streams here at once. Does nothing without one. */
export async function endSession(
  { database, streams }: Services,
  sessionId: string | undefined,
): Promise<void> {
  if (sessionId !== undefined) await database.query('delete from session where id = $1', [sessionId])
  // a guest's other sessions may have ended with it
  await streams.endRevoked()
}

export async function personIn(answer: Response): Promise<string | undefined> {
  const { user } = (await answer.clone().json()) as { user?: { id?: string } }
  return user?.id
}

/** `GET /api/auth/get-session`: the session and its user, renewed when it is a day old. */
export async function answerSession(request: Request): Promise<Response> {
  const auth = await getAuth()
  const headers = await sessionHeaders(request.headers)
  return withoutToken(await auth.handler(new Request(request.url, { headers })))
}
