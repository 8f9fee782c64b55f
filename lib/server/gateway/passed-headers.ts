import 'server-only'
import { type Reach, readsCodings } from '@/lib/ai'

/** Headers of one connection, of its body as it came, and of the way to this server. */
const OF_CONNECTION =
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-(?:length|encoding)|(?:proxy|x-forwarded|x-real|x-vercel|x-middleware|x-invoke|x-nextjs|next|cf|fly)-.*|sec-(?!fetch-mode$).*|forwarded|via|true-client-ip|rsc|x-nonce|origin|referer|cookie2?)$/

/** Ramify's own. */
const OURS = /^x-ramify-/

/** Headers that select the account; they go to the provider only as a client's own credential. */
const credentials = [
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'openai-organization',
  'openai-project',
]

/** For a shared key, only headers that describe the client and the protocol: other headers steer proxies. */
const OF_CLIENTS =
  /^(?:accept(?:-encoding|-language)?|sec-fetch-mode|content-type|user-agent|anthropic-(?:version|beta|dangerous-direct-browser-access)|openai-beta|originator|(?:x-)?(?:parent-)?(?:session|thread)-id|x-(?:app|client-request-id|(?:stainless|codex|claude-code|openai|opencode)-.*))$/

/** The headers for a provider: those of its reach, and the client's end-to-end ones. */
export function headersTo({ headers: own, isShared }: Reach, sent: Headers): Headers {
  const headers = new Headers(own)
  for (const [name, value] of sent) {
    if (OF_CONNECTION.test(name) || OURS.test(name) || credentials.includes(name)) continue
    // the answer is read here
    if (name === 'accept-encoding' && !readsCodings(value)) continue
    if (!isShared || OF_CLIENTS.test(name)) headers.set(name, value)
  }
  return headers
}

/** Headers of an answer that would say something of this server to a browser, or of an account to its guests. */
const UNSAFE =
  /^(?:set-cookie2?|location|refresh|link|alt-svc|server|date|age|content-disposition|content-security-policy.*|x-content-type-options|cross-origin-.*|access-control-.*|strict-transport-security|clear-site-data|report-to|reporting-endpoints|nel|server-timing|service-worker-.*|www-authenticate|x-frame-options|cache-control|expires|etag|last-modified|vary|x-powered-by)$/

/** Response headers of a shared key that an agent needs. */
const OF_CALLS =
  /^(?:content-type|retry-after(?:-ms)?|x-should-retry|(?:x-)?request-id|(?:x|anthropic)-ratelimit-.*|openai-(?:processing-ms|version|model))$/

/** The headers of a provider's answer that the client is shown. */
export const headersFrom = ({ isShared }: Reach, told: Headers): Headers =>
  new Headers(
    [...told].filter(([name]) => {
      if (OF_CONNECTION.test(name) || OURS.test(name) || UNSAFE.test(name)) return false
      return !isShared || OF_CALLS.test(name)
    }),
  )

/** A key of Ramify: it goes to no provider. */
const RAMIFY_KEY = /^(?:bearer\s+)?rk_/i

/**
 * The credential that a client has at its provider: where `x-ramify-key` has the key of Ramify, the others are the provider's.
 * It is passed on as it is, and neither stored nor logged.
 */
export function ownCredential({ headers }: Request): Readonly<Record<string, string>> | undefined {
  if (!headers.get('x-ramify-key')) return undefined
  const own = credentials.flatMap((name) => {
    const value = headers.get(name)
    return value === null || RAMIFY_KEY.test(value) ? [] : [[name, value] as const]
  })
  return own.some(([name]) => !name.startsWith('openai-')) ? Object.fromEntries(own) : undefined
}
