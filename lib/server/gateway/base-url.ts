import 'server-only'
import { chatCompletions } from '@/lib/gateway/protocols/chat-completions'
import { messages } from '@/lib/gateway/protocols/messages'
import type { Protocol } from '@/lib/gateway/protocols/protocol'
import { ownOrigin } from '@/lib/runtime/front/request-origin'

/** Addresses of agents that lack the `/v1` of their base URL. */
const WITHOUT_VERSION =
  /^\/(?:chat\/completions|completions|responses|messages(?:\/(?:count_tokens|batches))?|models|embeddings)\/?$/

/** Tells whether a path is an address of agents without `/v1`: no page has it. */
export const lacksVersion = (pathname: string): boolean => WITHOUT_VERSION.test(pathname)

/** The protocol that a request is written in: clients of Anthropic's name its version with every request. */
export const spokenIn = (pathname: string, headers: Headers): Protocol =>
  headers.has('anthropic-version') || /\/messages(?:\/|$)/.test(pathname) ? messages : chatCompletions

/**
 * The refusal of an address that does not exist, in the protocol of its client, with the base URL to set.
 *
 * @param allow the methods that the address has, where it exists
 */
export function refuseAddress(
  request: Pick<Request, 'headers' | 'url' | 'method'>,
  allow?: string,
): Response {
  const { pathname, origin } = new URL(request.url)
  const own = ownOrigin(request.headers, process.env.BETTER_AUTH_URL) ?? origin
  const why = lacksVersion(pathname)
    ? ' The base URL lacks /v1.'
    : pathname.startsWith('/v1/v1')
      ? ' The base URL has a /v1 too many.'
      : ''
  const message = `There is nothing at ${request.method} ${pathname.slice(0, 200)}.${why} Set the base URL to ${own}/v1 for a client of OpenAI’s protocols, and to ${own} for a client of Anthropic’s.`
  const { writeRefusal } = spokenIn(pathname, request.headers)
  const headers = { 'cache-control': 'no-store', ...(allow !== undefined && { allow }) }
  const [status, code] = allow === undefined ? [404, 'not_found'] : [405, 'method_not_allowed']
  return Response.json(writeRefusal({ status, code, message }), { status, headers })
}
