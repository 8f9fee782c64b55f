import 'server-only'
import { isAPIError } from 'better-auth/api'
import {
  addressChangedLetter,
  getAuth,
  LINK_WORKS,
  newAddressLetter,
  postLetter,
  readSession,
  weaknessOf,
} from '@/lib/auth'
import { audit, type Services } from '@/lib/runtime'
import { clientAddress } from '@/lib/runtime/front/request-origin'
import { forgetPerson } from '@/lib/store'
import { RequestRefusedError, sentences } from '../http/problem'
import { withoutToken } from './identity-answers'
import type { IdentityCall } from './identity-operation'
import { limitAccount, limitAddress, limitLetters } from './sign-in-limits'
import { steadily } from './steadily'

/** Sends a link to set a new password, if there is such an account; the answer is the same without one. */
export async function answerResetAsked({
  services,
  request,
  body: { email },
  ask,
}: IdentityCall<{ email: string }>): Promise<Response> {
  const address = clientAddress(request)
  await limitAddress(services, address)
  await limitLetters(services, email)
  const answer = await steadily(() => ask({ email }, 'request-password-reset'))
  if (!answer.ok) return answer
  audit('reset_asked', { email, address })
  return told(
    services.mail.isSent
      ? 'If there is an account with this address, a letter with a link is on its way to it. The link works once, for an hour.'
      : 'If there is an account with this address, a link to set a new password is in the log of this server. It works once, for an hour.',
  )
}

/** Sets a new password by the link of a letter; every session of the account ends. */
export async function answerReset({
  services,
  request,
  body: { token, password },
  ask,
}: IdentityCall<{ token: string; password: string }>): Promise<Response> {
  await limitAddress(services, clientAddress(request))
  refuseWeak(password)
  const answer = await ask({ token, newPassword: password }, 'reset-password')
  if (answer.status >= 500) return answer
  if (!answer.ok) throw new RequestRefusedError(400, 'invalid_link', oldLink)
  await services.streams.endRevoked()
  return told('Your password is set. Sign in with it now.')
}

const oldLink = 'This link has been used, or it is too old. Ask for a new one.'

/** Changes the password of the person; every other session ends, and this one gets a new cookie. */
export async function answerPasswordChange({
  services,
  request,
  body: { current, password },
  ask,
}: IdentityCall<{ current: string; password: string }>): Promise<Response> {
  const { user } = await ownSession(request)
  const address = clientAddress(request)
  await limitAddress(services, address)
  await limitAccount(services, user.email, address)
  refuseWeak(password, user)
  const given = { currentPassword: current, newPassword: password, revokeOtherSessions: true }
  const answer = await ask(given, 'change-password')
  if (answer.status >= 500) return answer
  if (!answer.ok) throw wrongPassword()
  await services.streams.endRevoked()
  audit('password_changed', { person: user.id, address })
  return withoutToken(answer)
}

/** Sends a link to a new address: the account has it once the link is opened. */
export async function answerEmailChange({
  services,
  request,
  headers,
  body: { email, password },
}: IdentityCall<{ email: string; password: string }>): Promise<Response> {
  const { user } = await ownSession(request)
  const address = clientAddress(request)
  await limitAddress(services, address)
  await limitAccount(services, user.email, address)
  await checkPassword(headers, password)
  await limitLetters(services, email)
  await steadily(async () => {
    const [taken] = await services.database.query('select 1 from "user" where email = $1', [email])
    if (taken) return
    const token = crypto.randomUUID() + crypto.randomUUID()
    const { internalAdapter } = await (await getAuth()).$context
    await internalAdapter.createVerificationValue({
      identifier: identifierOf(token),
      value: JSON.stringify({ person: user.id, from: user.email, email }),
      expiresAt: new Date(Date.now() + LINK_WORKS * 1000),
    })
    postLetter(services, newAddressLetter(email, `${headers.get('origin')}/confirm-email#${token}`))
  })
  return told(
    services.mail.isSent
      ? 'A letter with a link is on its way to the new address, unless another account has it. Open the link within an hour.'
      : 'A link for the new address is in the log of this server, unless another account has it. Open it within an hour.',
  )
}

const identifierOf = (token: string): string => `change-email:${token}`

/** Gives an account the address that the link of a letter was sent to. */
export async function answerEmailConfirmed({
  services,
  request,
  body: { token },
}: IdentityCall<{ token: string }>): Promise<Response> {
  const address = clientAddress(request)
  await limitAddress(services, address)
  const { internalAdapter } = await (await getAuth()).$context
  const found = await internalAdapter.consumeVerificationValue(identifierOf(token))
  if (!found) throw new RequestRefusedError(400, 'invalid_link', oldLink)
  const { person, from, email } = JSON.parse(found.value) as Record<'person' | 'from' | 'email', string>
  // a second link for the account counts no longer once the first is used
  const [changed] = await services.database.query(
    `update "user" u set email = $3, email_verified = $4, updated_at = now()
    where id = $1 and email = $2 and not exists (select 1 from "user" o where o.email = $3) returning 1`,
    [person, from, email, services.mail.isSent],
  )
  if (!changed) throw new RequestRefusedError(400, 'invalid_link', oldLink)
  audit('email_changed', { person, address })
  if (services.mail.isSent) postLetter(services, addressChangedLetter(from, email))
  return told('This is the address of your account now.')
}

/** Deletes the account, or the guest, with everything. */
export async function answerDeletion({
  services,
  request,
  headers,
  body: { password },
  ask,
}: IdentityCall<{ password?: string | undefined }>): Promise<Response> {
  const present = await readSession(request.headers)
  if (!present) throw new RequestRefusedError(401, 'unauthenticated', sentences.unauthenticated)
  const { user, session } = present
  const address = clientAddress(request)
  if (await hasPassword(services, user.id)) {
    await limitAddress(services, address)
    await limitAccount(services, user.email, address)
    await checkPassword(headers, password ?? '')
  } else if (!user.isAnonymous && Date.now() - session.createdAt.getTime() > FRESH) {
    const detail = 'You signed in more than a day ago. Sign in again, then delete the account.'
    throw new RequestRefusedError(403, 'session_not_fresh', detail)
  }
  const { database, streams, ports } = services
  const live = await database.query<{ id: string }>(
    `select r.id from runs r join chats c on c.id = r.chat_id
    where c.user_id = $1 and r.status in ('queued', 'running')`,
    [user.id],
  )
  await forgetPerson(database, user.id)
  for (const { id } of live) ports.live.get(id)?.abort.abort()
  await streams.endRevoked()
  audit('account_deleted', { person: user.id, guest: user.isAnonymous ?? false, address })
  const answer = Response.json({ deleted: true }, { headers: { 'cache-control': 'no-store' } })
  // removes the cookie
  for (const cookie of (await ask({}, 'sign-out')).headers.getSetCookie())
    answer.headers.append('set-cookie', cookie)
  return answer
}

/** For so long after signing in, an account without a password may be deleted, in ms. */
const FRESH = 24 * 3_600_000

/** The session of a request that has an account. */
export async function ownSession(request: Request) {
  const present = await readSession(request.headers)
  if (!present) throw new RequestRefusedError(401, 'unauthenticated', sentences.unauthenticated)
  if (!present.user.isAnonymous) return present
  throw new RequestRefusedError(403, 'guest', 'A guest has no account. Sign up first: your chats come along.')
}

async function hasPassword({ database }: Services, personId: string): Promise<boolean> {
  const [row] = await database.query('select 1 from account where user_id = $1 and password is not null', [
    personId,
  ])
  return row !== undefined
}

/** Refuses (400) a password that is not the person's. */
async function checkPassword(headers: Headers, password: string): Promise<void> {
  const auth = await getAuth()
  try {
    await steadily(() => auth.api.verifyPassword({ body: { password }, headers }))
  } catch (error) {
    if (isAPIError(error) && error.statusCode < 500) throw wrongPassword()
    throw error
  }
}

const wrongPassword = () => new RequestRefusedError(400, 'wrong_password', 'This is not your password.')

function refuseWeak(password: string, own?: { email?: string; name?: string }): void {
  const weakness = weaknessOf(password, own)
  if (weakness) throw new RequestRefusedError(400, 'weak_password', weakness)
}

const told = (detail: string): Response =>
  Response.json({ detail }, { headers: { 'cache-control': 'no-store' } })
