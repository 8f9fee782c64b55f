import 'server-only'
import { passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { APIError } from 'better-auth/api'
import { nextCookies } from 'better-auth/next-js'
import { anonymous } from 'better-auth/plugins'
import { schema } from '@/lib/db'
import { audit, getServices, logError, type Services } from '@/lib/runtime'
import { authSecret } from '@/lib/runtime/auth-secret'
import { isFromHere } from '@/lib/runtime/front/own-machine'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './passwords'

const DAY = 24 * 60 * 60

/** The page that signs in, and says why another service did not. */
export const ACCOUNT_PAGE = '/settings/account'

/** The refusal of an account, or a guest, that is not asked for at the machine of its one owner. */
export const NOT_FROM_HERE =
  'This server is one person’s, who uses it on the machine that it runs on, under localhost. To let others in, its owner sets BETTER_AUTH_URL to its public address.'

/** Headers of the identity service's answer: how many keys and sessions of a guest ended. */
export const ENDED_KEYS = 'x-ramify-ended-keys'
export const ENDED_SESSIONS = 'x-ramify-ended-sessions'

async function createAuth() {
  const services = await getServices()
  const { env, database, owner } = services
  const https = env.BETTER_AUTH_URL?.startsWith('https://') ?? Boolean(process.env.VERCEL)
  return betterAuth({
    database: drizzleAdapter(database.orm, { provider: 'pg', schema }),
    secret: authSecret(env),
    // without an address of its own, the one the request came to; a fixed list would refuse 127.0.0.1
    baseURL: env.BETTER_AUTH_URL ?? {
      allowedHosts: ['*'],
      protocol: 'auto',
      // for hosts that it cannot read, like `ramify_app:3000`; its cookies name no host
      fallback: 'http://localhost',
    },
    // over plain http, a browser drops Secure cookies
    advanced: {
      // its own prefix would be `__Secure-`, which a page of a subdomain can set too
      useSecureCookies: false,
      cookiePrefix: https ? '__Host-better-auth' : 'better-auth',
      defaultCookieAttributes: { secure: https, path: '/', httpOnly: true, sameSite: 'lax' },
      // it would believe any forwarded header, and nothing here needs what it would store
      ipAddress: { disableIpTracking: true },
    },
    // it would count by forwarded headers; lib/server/identity/sign-in-limits.ts counts attempts
    rateLimit: { enabled: false },
    logger: { level: 'error', log: (_level, message) => logError('identity', message) },
    telemetry: { enabled: false },
    // sends the browser here when another service has not signed it in: the library's own error page is not
    // served
    onAPIError: { errorURL: ACCOUNT_PAGE },
    session: { expiresIn: 30 * DAY, updateAge: DAY },
    emailAndPassword: {
      enabled: true,
      // a new account signs in like any other, so that only the owner of a password learns that an address was taken
      autoSignIn: false,
      minPasswordLength: SHORTEST_PASSWORD,
      maxPasswordLength: LONGEST_PASSWORD,
    },
    // its tokens are stored as hashes
    verification: { storeIdentifier: 'hashed' },
    // an account is a person's own: another way in with the same address is never joined to it unasked
    account: { accountLinking: { disableImplicitLinking: true } },
    socialProviders: {
      ...(env.GITHUB_CLIENT_ID &&
        env.GITHUB_CLIENT_SECRET && {
          github: { clientId: env.GITHUB_CLIENT_ID, clientSecret: env.GITHUB_CLIENT_SECRET },
        }),
      ...(env.GOOGLE_CLIENT_ID &&
        env.GOOGLE_CLIENT_SECRET && {
          google: { clientId: env.GOOGLE_CLIENT_ID, clientSecret: env.GOOGLE_CLIENT_SECRET },
        }),
    },
    databaseHooks: {
      user: {
        create: {
          // the first account takes over all that the owner has; another service (GitHub) leads back here from its own site
          before: async (_user, context) => {
            if (
              !(await owner.isAlone()) ||
              (context?.headers && isFromHere(context.headers, { opensPage: true }))
            )
              return
            throw new APIError('FORBIDDEN', { code: 'NOT_FROM_HERE', message: NOT_FROM_HERE })
          },
          after: async (user) => {
            if (!user.isAnonymous) audit('sign_up', { person: user.id })
          },
        },
      },
      // a way in: with the first one on this machine, people sign in from then on
      account: {
        create: {
          before: async ({ userId: person }) => {
            const former = await owner.giveTo(person)
            if (former) audit('account_linked', { person, guest: former.id })
          },
        },
      },
    },
    plugins: [
      anonymous({
        // the guest's row goes in the same transaction; the plugin, which deletes it after this, finds none
        onLinkAccount: async ({ anonymousUser, newUser, ctx }) => {
          const [guest, person] = [anonymousUser.user.id, newUser.user.id]
          const ended = await services.moveAll(guest, person)
          audit('account_linked', { person, guest, keys_ended: ended.keys, sessions_ended: ended.sessions })
          ctx.setHeader(ENDED_KEYS, String(ended.keys))
          ctx.setHeader(ENDED_SESSIONS, String(ended.sessions))
        },
      }),
      passkey({ rpID: passkeyHost(env), rpName: 'Ramify' }),
      nextCookies(),
    ],
  })
}

/** The host that passkeys belong to: the server's own, or this machine. */
export const passkeyHost = ({ BETTER_AUTH_URL }: Services['env']): string =>
  BETTER_AUTH_URL ? new URL(BETTER_AUTH_URL).hostname : 'localhost'

const shared = globalThis as typeof globalThis & { __ramifyAuth?: ReturnType<typeof createAuth> }

/** The identity service, created once the database is open. */
export function getAuth(): ReturnType<typeof createAuth> {
  shared.__ramifyAuth ??= createAuth().catch((error: unknown) => {
    delete shared.__ramifyAuth
    throw error
  })
  return shared.__ramifyAuth
}
