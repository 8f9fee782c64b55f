import 'server-only'
import {
  type Account,
  addressChangedLetter,
  changePassword,
  confirmAddress,
  getAuth,
  makeLink,
  newAddressLetter,
  ownerFor,
  postLetter,
  readAccount,
  readSession,
  resetLetter,
  resetPassword,
  weaknessOf,
} from '@/lib/auth'
import { audit, type Services } from '@/lib/runtime'
import { clientAddress } from '@/lib/runtime/front/request-origin'
import { forgetPerson } from '@/lib/store'
import { RequestRefusedError, sentences } from '../http/problem'
import type { IdentityCall } from './identity-operation'
import { limitAccount, limitAddress, limitLetters } from './sign-in-limits'
import { steadily } from './steadily'

/** Sends a link to set a new password, if there is such an account; the answer is the same without one. */
export async function answerResetAsked({
  services,
  request,
  headers,
  body: { email },
}: IdentityCall<{ email: string }>): Promise<Response> {
  const address = clientAddress(request)
  await limitAddress(services, address)
  await limitLetters(services, email)
  await steadily(async () => {
    const [account] = await services.database.query<Account & { email: string }>(
      'select id as person, generation, email from "user" where email = $1 and not is_anonymous',
      [email.toLowerCase()],
    )
    if (!account) return
    const { person, generation } = account
    const token = await makeLink(services.database, 'reset-password', { person, generation })
    postLetter(services, resetLetter(account.email, `${headers.get('origin')}/reset-password#${token}`))
  })
  audit('reset_asked', { email, address })
  return told(
    services.mail.isSent
      ? 'If there is an account with this address, a letter with a link is on its way to it. The link works once, for an hour.'
      : 'If there is an account with this address, a link to set a new password is in the log of this server. It works once, for an hour.',
  )
}

/**
 * Sets a new password by the link of a letter; every session of the account ends, and so does all other
 * access unless told otherwise.
 */
export async function answerReset({
  services,
  request,
  body: { token, password, end_access },
}: IdentityCall<{ token: string; password: string; end_access: boolean }>): Promise<Response> {
  const address = clientAddress(request)
  await limitAddress(services, address)
  refuseWeak(password)
  const person = await resetPassword(services.database, token, await hashOf(password), end_access)
  if (person === undefined) throw oldLink()
  await services.streams.endRevoked()
  audit('password_reset', { person, access_ended: end_access, address })
  return told('Your password is set. Sign in with it now.')
}

const oldLink = () =>
  new RequestRefusedError(
    400,
    'invalid_link',
    'This link has been used, it is too old, or the account has changed since. Ask for a new one.',
  )

/** Changes the password of the person. Unless told otherwise other sessions, keys and apps end, and this session gets a new cookie. */
export async function answerPasswordChange({
  services,
  request,
  body: { current, password, end_access },
  ask,
}: IdentityCall<{ current: string; password: string; end_access: boolean }>): Promise<Response> {
  const { user } = await ownSession(request)
  const address = clientAddress(request)
  await limitAddress(services, address)
  await limitAccount(services, user.email, address)
  refuseWeak(password, user)
  const account = await checkPassword(services, user.id, current)
  const isChanged = await changePassword(services.database, account, await hashOf(password), end_access)
  if (!isChanged) throw wrongPassword()
  await services.streams.endRevoked()
  audit('password_changed', { person: user.id, access_ended: end_access, address })
  if (!end_access) return told('Your password is changed.')
  const answer = told('Your password is changed. Other sessions, API keys and connected apps have ended.')
  const again = await ask({ email: user.email, password }, 'sign-in/email')
  for (const cookie of again.headers.getSetCookie()) answer.headers.append('set-cookie', cookie)
  return answer
}

/** Sends a link to a new address: the account takes the address once the link is opened. */
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
  const { person, generation } = await checkPassword(services, user.id, password)
  await limitLetters(services, email)
  await steadily(async () => {
    const [taken] = await services.database.query('select 1 from "user" where email = $1', [email])
    if (taken) return
    const token = await makeLink(services.database, 'change-email', { person, generation, email })
    postLetter(services, newAddressLetter(email, `${headers.get('origin')}/confirm-email#${token}`))
  })
  return told(
    services.mail.isSent
      ? 'A letter with a link is on its way to the new address, unless another account has it. Open the link within an hour.'
      : 'A link for the new address is in the log of this server, unless another account has it. Open it within an hour.',
  )
}

/** Gives an account the address that the link of a letter was sent to. */
export async function answerEmailConfirmed({
  services,
  request,
  body: { token },
}: IdentityCall<{ token: string }>): Promise<Response> {
  const address = clientAddress(request)
  await limitAddress(services, address)
  const done = await confirmAddress(services.database, token, services.mail.isSent)
  if (!done) throw oldLink()
  const { person, from, email } = done
  audit('email_changed', { person, address })
  if (services.mail.isSent) postLetter(services, addressChangedLetter(from, email))
  return told('This is the address of your account now.')
}

/** Deletes the account, the guest or the owner of this machine, with everything. */
export async function answerDeletion({
  services,
  request,
  body: { password },
  ask,
}: IdentityCall<{ password?: string | undefined }>): Promise<Response> {
  const address = clientAddress(request)
  const { id: person, guest } =
    (await ownerFor(request)) ?? (await personToDelete(services, request, password ?? ''))
  const { database, streams, ports } = services
  const live = await database.query<{ id: string }>(
    `select r.id from runs r join chats c on c.id = r.chat_id
    where c.user_id = $1 and r.status in ('queued', 'running')`,
    [person],
  )
  await forgetPerson(database, person)
  for (const { id } of live) ports.live.get(id)?.abort.abort()
  await streams.endRevoked()
  audit('account_deleted', { person, guest, address })
  const answer = Response.json({ deleted: true }, { headers: { 'cache-control': 'no-store' } })
  // removes the cookie
  for (const cookie of (await ask({}, 'sign-out')).headers.getSetCookie())
    answer.headers.append('set-cookie', cookie)
  return answer
}

/** The person of a session who has shown the password, or has signed in recently; a guest has neither. */
async function personToDelete(services: Services, request: Request, password: string) {
  const present = await readSession(request.headers)
  if (!present) throw new RequestRefusedError(401, 'unauthenticated', sentences.unauthenticated)
  const { user, session } = present
  const guest = user.isAnonymous ?? false
  if ((await readAccount(services.database, user.id))?.hash != null) {
    const address = clientAddress(request)
    await limitAddress(services, address)
    await limitAccount(services, user.email, address)
    await checkPassword(services, user.id, password)
  } else if (!guest && Date.now() - session.createdAt.getTime() > FRESH) {
    const detail = 'You signed in more than a day ago. Sign in again, then delete the account.'
    throw new RequestRefusedError(403, 'session_not_fresh', detail)
  }
  return { id: user.id, guest }
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

/** Checks a person's password and returns the account; refuses (400) a wrong one. */
async function checkPassword({ database }: Services, personId: string, password: string): Promise<Account> {
  return steadily(async () => {
    const account = await readAccount(database, personId)
    const { password: passwords } = await (await getAuth()).$context
    if (account?.hash != null && (await passwords.verify({ hash: account.hash, password }))) return account
    throw wrongPassword()
  })
}

async function hashOf(password: string): Promise<string> {
  const context = await (await getAuth()).$context
  return context.password.hash(password)
}

const wrongPassword = () => new RequestRefusedError(400, 'wrong_password', 'This is not your password.')

function refuseWeak(password: string, own?: { email?: string; name?: string }): void {
  const weakness = weaknessOf(password, own)
  if (weakness) throw new RequestRefusedError(400, 'weak_password', weakness)
}

const told = (detail: string): Response =>
  Response.json({ detail }, { headers: { 'cache-control': 'no-store' } })
