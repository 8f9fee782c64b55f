import 'server-only'
import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { nextCookies } from 'better-auth/next-js'
import { anonymous } from 'better-auth/plugins'
import { schema } from '@/lib/db'
import { authSecret, getServices, logError } from '@/lib/runtime'
import { moveBelongings } from './move-belongings'

/** Attempts to sign in, per address and minute (CONTRACT.md). */
const signIns = { window: 60, max: 10 }

async function createAuth() {
  const { env, database } = await getServices()
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
    // without this, production means Secure cookies, which a browser drops over plain http
    advanced: {
      useSecureCookies: env.BETTER_AUTH_URL?.startsWith('https://') ?? Boolean(process.env.VERCEL),
    },
    rateLimit: {
      enabled: env.RAMIFY_RATE_LIMIT !== 'off' && process.env.NODE_ENV === 'production',
      customRules: { '/sign-in/*': signIns, '/sign-up/*': signIns },
    },
    logger: { level: 'error', log: (_level, message) => logError('identity', message) },
    telemetry: { enabled: false },
    session: { expiresIn: 60 * 60 * 24 * 365, updateAge: 60 * 60 * 24 },
    emailAndPassword: { enabled: true },
    plugins: [
      anonymous({
        // the guest's row is deleted after this, so what it owns must have moved; chats refuse to lose their owner
        onLinkAccount: ({ anonymousUser, newUser }) =>
          moveBelongings(database, anonymousUser.user.id, newUser.user.id),
      }),
      nextCookies(),
    ],
  })
}

const shared = globalThis as typeof globalThis & { __ramifyAuth?: ReturnType<typeof createAuth> }

/** The identity service, made once the database is open. */
export function getAuth(): ReturnType<typeof createAuth> {
  shared.__ramifyAuth ??= createAuth().catch((error: unknown) => {
    delete shared.__ramifyAuth
    throw error
  })
  return shared.__ramifyAuth
}
