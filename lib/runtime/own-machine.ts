import type { Env } from './env'
import { passesFront } from './front/request-origin'

type Source = Readonly<Record<string, string | undefined>>

/** Hosts that only this machine reaches. */
const own = new Set(['localhost', '127.0.0.1', '::1'])

/**
 * True when only the person at this machine reaches the server. `npm start` and `npm run dev` set `HOST` to where they listen;
 * a server that was started in another way listens anywhere, and has none.
 */
export function isLaptop(source: Source, env: Env): boolean {
  if (env.DATABASE_URL || env.BETTER_AUTH_URL || env.RAMIFY_TRUSTED_PROXIES || source.VERCEL) return false
  return own.has(source.HOST ?? '')
}

/**
 * True when the settings are those of a machine of one owner, who does not sign in. A server sees the client
 * of a request (`isFromHere`) behind its front, or in development; a command needs no server, and works under
 * the same settings.
 *
 * @param brief for one command
 */
export function isForOneOwner(source: Source, env: Env, brief: boolean): boolean {
  if (env.RAMIFY_PERSONAL === 'off' || env.RAMIFY_GUESTS === 'off') return false
  if (brief) return isLaptop({ ...source, HOST: env.HOST }, env)
  return isLaptop(source, env) && (passesFront() || source.NODE_ENV === 'development')
}
