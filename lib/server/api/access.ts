import 'server-only'
import { z } from 'zod'
import { problemResponse, RequestRefusedError } from '../http/problem'
import { withProblem } from '../identity/identity-answers'
import { defineIdentityOperation } from '../identity/identity-operation'
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
  ...{ id: 'signInAsGuest', path: '/api/auth/sign-in/anonymous' },
  summary: 'Sign in as guest',
  description:
    'Creates a guest account. Its chats move to the account that signs in on the same browser later.',
  body: nothing,
  example: {},
  output: cookie,
  use: identity.answerGuest,
})

export const signUp = defineIdentityOperation({
  ...{ id: 'signUp', path: '/api/auth/sign-up/email' },
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
  ...{ id: 'signIn', path: '/api/auth/sign-in/email' },
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
  ...{ id: 'signOut', path: '/api/auth/sign-out' },
  summary: 'Sign out',
  body: nothing,
  example: {},
  output: { description: 'The session and its streams have ended.' },
  use: identity.answerSignOut,
})

export const signOutEverywhere = defineIdentityOperation({
  ...{ id: 'signOutEverywhere', path: '/api/auth/sign-out-everywhere' },
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

export const getSession = defineOpenOperation({
  ...{ id: 'readSession', method: 'get', path: '/api/auth/get-session', tag: 'Access', asks: 'anyone' },
  summary: 'Read session',
  output: { description: 'The session and its user, or `null`.' },
  use: async (request) => withProblem(await identity.answerSession(request)),
})

/** What the app uses of the identity service, and adds to it; its other addresses do not exist here. */
const served: readonly Operation[] = [signInAsGuest, signUp, signIn, signOut, signOutEverywhere, getSession]

/** Every request below `/api/auth/`. */
export async function handleAuth(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const found = served.find(
    ({ method, path }) => path === pathname && method.toUpperCase() === request.method,
  )
  if (!found) return problemResponse(new RequestRefusedError(404, 'not_found', 'Not found'))
  return found.handle(request, { params: Promise.resolve({}) })
}
