import 'server-only'
import { z } from 'zod'
import { problemResponse, RequestRefusedError } from '../http/problem'
import { atOwnHost } from '../http/routes'
import { withProblem } from '../identity/identity-answers'
import { defineIdentityOperation } from '../identity/identity-operation'
import * as ways from '../identity/other-ways-in'
import * as own from '../identity/own-account'
import * as identity from '../identity/sign-in'
import { defineOpenOperation, type Operation } from './operation'

const email = z.email().max(254)
const account = { email: 'ada@example.org', password: 'correct horse battery staple' }
const nothing = z.object({})

const cookie = {
  description:
    'You are signed in: the answer sets the session’s cookie, valid for 30 days from the last use. Only the cookie holds the token.',
}

export const signInAsGuest = defineIdentityOperation({
  id: 'signInAsGuest',
  path: '/api/auth/sign-in/anonymous',
  summary: 'Sign in as guest',
  description:
    'Creates a guest account. Its chats move to the account that signs in on the same browser later. At a machine of one owner, where nobody signs in, the answer names the owner and sets no cookie.',
  body: nothing,
  example: {},
  output: cookie,
  use: identity.answerGuest,
})

export const signUp = defineIdentityOperation({
  id: 'signUp',
  path: '/api/auth/sign-up/email',
  summary: 'Create account',
  description:
    'Creates an account; sign in with it afterwards. When the address is taken, the answer is the same and takes as long: it does not tell which addresses exist. A password has 10 to 128 characters; one that is easy to guess is refused (400 `weak_password`).',
  // fields that are not named here do not reach the identity service
  body: z.object({
    email,
    password: z.string().max(1000).meta({ description: '10 to 128 characters, and not easy to guess' }),
    name: z.string().trim().max(100),
  }),
  example: { ...account, name: 'Ada' },
  output: { description: 'Sign in now.' },
  use: identity.answerSignUp,
})

export const signIn = defineIdentityOperation({
  id: 'signIn',
  path: '/api/auth/sign-in/email',
  summary: 'Sign in',
  description:
    'With the cookie of a guest, the guest’s chats move to the account, and the guest’s keys, sessions and remembered answers to commands end; `guest` in the answer says how many. A wrong address and a wrong password get the same 401, after the same time. The number of attempts is limited for each network address and each account (429).',
  body: z.object({
    email,
    password: z.string().min(1).max(128),
    rememberMe: z.boolean().optional(),
  }),
  example: account,
  output: cookie,
  use: identity.answerSignIn,
})

export const signOut = defineIdentityOperation({
  id: 'signOut',
  path: '/api/auth/sign-out',
  summary: 'Sign out',
  body: nothing,
  example: {},
  output: { description: 'The session and its streams have ended.' },
  use: identity.answerSignOut,
})

export const signOutEverywhere = defineIdentityOperation({
  id: 'signOutEverywhere',
  path: '/api/auth/sign-out-everywhere',
  summary: 'Sign out everywhere',
  description: 'Ends all your sessions and their streams. API keys stay valid: revoke them one by one.',
  body: z.object({
    keep_this: z.boolean().default(false).meta({ description: 'Whether the session of this request stays' }),
  }),
  example: { keep_this: true },
  output: {
    description: 'The number of sessions that have ended.',
    schema: z.object({ ended: z.int() }),
    example: { ended: 3 },
  },
  use: identity.answerSignOutEverywhere,
})

const link = z.string().min(1).max(200).meta({ description: 'What follows `#` in the link' })
const aPassword = z.string().max(1000)
const endsAccess = (what: string) =>
  z
    .boolean()
    .default(true)
    .meta({ description: `Whether ${what} end` })
const said = z.object({ detail: z.string() })

export const askForReset = defineIdentityOperation({
  id: 'askForReset',
  path: '/api/auth/request-password-reset',
  summary: 'Ask for a new password',
  description:
    'Sends a link to set a new password, by mail; without `SMTP_URL` the link is printed in the server’s log. The answer does not tell whether there is such an account. The number of links for an address is limited (429).',
  body: z.object({ email }),
  example: { email: account.email },
  output: { description: 'A sentence.', schema: said },
  use: own.answerResetAsked,
})

export const resetPassword = defineIdentityOperation({
  id: 'resetPassword',
  path: '/api/auth/reset-password',
  summary: 'Set new password',
  description:
    'Sets the password of an account by the link of a letter, which works once, for an hour. Every session of the account ends and, unless `end_access` is false, its API keys, connected apps and passkeys. A link that was used, is too old, or was asked for before a password, an address or a passkey of the account changed, is refused (400 `invalid_link`).',
  body: z.object({
    token: link,
    password: aPassword,
    end_access: endsAccess('API keys, connected apps and passkeys'),
  }),
  example: { token: 'hUx8…', password: account.password },
  output: { description: 'A sentence.', schema: said },
  use: own.answerReset,
})

export const changePassword = defineIdentityOperation({
  id: 'changePassword',
  path: '/api/auth/change-password',
  summary: 'Change password',
  description:
    'Unless `end_access` is false, every other session, API key and connected app ends, and this session gets a new cookie. Passkeys stay. Links of letters from before work no longer. A wrong present password is refused (400 `wrong_password`), and counted like an attempt to sign in.',
  body: z.object({
    current: aPassword,
    password: aPassword,
    end_access: endsAccess('other sessions, API keys and connected apps'),
  }),
  example: { current: account.password, password: 'a better horse, and no battery' },
  output: { description: 'A sentence.', schema: said },
  use: own.answerPasswordChange,
})

export const changeEmail = defineIdentityOperation({
  id: 'changeEmail',
  path: '/api/auth/change-email',
  summary: 'Change e-mail address',
  description:
    'Sends a link to the new address; the account has the address once the link is opened. The answer does not tell whether another account has it.',
  body: z.object({ email: email.toLowerCase(), password: aPassword }),
  example: account,
  output: { description: 'A sentence.', schema: said },
  use: own.answerEmailChange,
})

export const confirmEmail = defineIdentityOperation({
  id: 'confirmEmail',
  path: '/api/auth/confirm-email',
  summary: 'Confirm e-mail address',
  description:
    'The link of the letter works once, for an hour, and not once a password, an address or a passkey of the account has changed (400 `invalid_link`).',
  body: z.object({ token: link }),
  example: { token: 'hUx8…' },
  output: { description: 'A sentence.', schema: said },
  use: own.answerEmailConfirmed,
})

export const deleteAccount = defineIdentityOperation({
  id: 'deleteAccount',
  path: '/api/auth/delete-account',
  summary: 'Delete account',
  description:
    'Deletes the account, or the guest, with everything: chats, files, keys, settings. Sessions, keys and replies that are being written end at once. It cannot be undone. An account with a password asks for it; one without has to be signed in since less than a day.',
  body: z.object({
    confirm: z.literal('delete').meta({ description: 'The word `delete`' }),
    password: aPassword.optional(),
  }),
  example: { confirm: 'delete', password: account.password },
  output: {
    description: 'Nothing of it can be reached any more.',
    schema: z.object({ deleted: z.literal(true) }),
    example: { deleted: true },
  },
  use: own.answerDeletion,
})

const social = z.enum(['github', 'google'])

export const signInElsewhere = defineIdentityOperation({
  id: 'signInElsewhere',
  path: '/api/auth/sign-in/social',
  summary: 'Sign in with another service',
  description: 'Where the operator has set its keys; 404 otherwise.',
  body: z.object({
    provider: social,
    back: z
      .string()
      .max(8000)
      .regex(/^\/oauth\/authorize\?/)
      .optional()
      .meta({ description: 'The question of an app to come back to' }),
  }),
  example: { provider: 'github' },
  output: { description: 'The address to go to.', schema: z.object({ url: z.string() }) },
  use: ways.answerSocial,
})

const backFrom = (provider: ways.SocialName) =>
  defineOpenOperation({
    id: `${provider}Callback`,
    method: 'get',
    path: `/api/auth/callback/${provider}`,
    tag: 'Access',
    asks: 'anyone',
    summary: `Come back from ${ways.socialNames[provider]}`,
    output: {
      status: 302,
      description:
        'Signed in: the answer sets the session’s cookie and leads to the page. Otherwise it leads to the page that signs in, which says why.',
    },
    use: ways.answerSocialCallback,
  })
const githubCallback = backFrom('github')
const googleCallback = backFrom('google')

/** Answers of authenticators hold keys and signatures. */
const authenticator = { bytes: 50_000, values: 500 }
const response = z
  .record(z.string(), z.unknown())
  .meta({ description: 'What `navigator.credentials` gave, as JSON' })

export const askForPasskey = defineIdentityOperation({
  id: 'askForPasskey',
  path: '/api/auth/passkey/sign-in-options',
  summary: 'Begin to sign in with a passkey',
  body: nothing,
  example: {},
  output: { description: 'What `navigator.credentials.get` takes.' },
  use: ways.answerPasskeyAsked,
})

export const signInWithPasskey = defineIdentityOperation({
  id: 'signInWithPasskey',
  path: '/api/auth/passkey/sign-in',
  summary: 'Sign in with a passkey',
  description: 'A guest’s chats move to the account, as with a password.',
  body: z.object({ response }),
  example: { response: { id: '…' } },
  limits: authenticator,
  output: cookie,
  use: ways.answerPasskeySignIn,
})

export const offerPasskey = defineIdentityOperation({
  id: 'offerPasskey',
  path: '/api/auth/passkey/options',
  summary: 'Begin to add a passkey',
  description: 'For a session that is less than a day old (403 `session_not_fresh`).',
  body: nothing,
  example: {},
  output: { description: 'What `navigator.credentials.create` takes.' },
  use: ways.answerPasskeyOffered,
})

export const addPasskey = defineIdentityOperation({
  id: 'addPasskey',
  path: '/api/auth/passkey/add',
  summary: 'Add passkey',
  body: z.object({ name: z.string().trim().min(1).max(100), response }),
  example: { name: 'Laptop', response: { id: '…' } },
  limits: authenticator,
  output: { description: 'It signs in from now on.' },
  use: ways.answerPasskeyAdded,
})

export const getSession = defineOpenOperation({
  id: 'readSession',
  method: 'get',
  path: '/api/auth/get-session',
  tag: 'Access',
  asks: 'anyone',
  summary: 'Read session',
  output: { description: 'The session and its user, or `null`.' },
  use: async (request) => withProblem(await identity.answerSession(request)),
})

/** The app's uses of the identity service, and its additions; its other addresses do not exist here. */
const served: readonly Operation[] = [
  ...[signInAsGuest, signUp, signIn, signOut, signOutEverywhere, getSession],
  ...[askForReset, resetPassword, changePassword, changeEmail, confirmEmail, deleteAccount],
  ...[signInElsewhere, githubCallback, googleCallback],
  ...[askForPasskey, signInWithPasskey, offerPasskey, addPasskey],
]

/** Every request below `/api/auth/`. */
export const handleAuth = atOwnHost(async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url)
  const found = served.find(
    ({ method, path }) => path === pathname && method.toUpperCase() === request.method,
  )
  if (!found) return problemResponse(new RequestRefusedError(404, 'not_found', 'Not found'))
  return found.handle(request, { params: Promise.resolve({}) })
})
