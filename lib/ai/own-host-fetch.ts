/** Redirects in a row that a provider may ask for. */
const MAX_REDIRECTS = 5

/** A provider's answer sent us elsewhere: the key and the conversation stay here. */
export class ForeignRedirectError extends Error {
  override readonly name = 'ForeignRedirectError'

  constructor(from: string, to: string) {
    super(
      `${from} redirects to ${to}, which is not followed: the key and the conversation are for ${from} only`,
    )
  }
}

/**
 * `fetch` for providers: a redirect is followed to the same scheme, host and port only. The platform's own `fetch`
 * would send the conversation, and headers like `x-api-key`, to any address of a redirect.
 *
 * @throws ForeignRedirectError for a redirect to another place; TypeError for more than five redirects
 */
export function ownHostFetch(fetch: typeof globalThis.fetch = globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    if (input instanceof Request) throw new TypeError('An address is wanted, not a Request')
    let url = String(input)
    let { method = 'GET', body } = init ?? {}
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await fetch(url, { ...init, method, body, redirect: 'manual' })
      const location = redirecting.has(response.status) ? response.headers.get('location') : null
      if (location === null) return response
      await response.body?.cancel()
      const next = new URL(location, url)
      if (next.origin !== new URL(url).origin)
        throw new ForeignRedirectError(new URL(url).origin, next.origin)
      url = next.href
      if (response.status === 303 || (response.status < 303 && method === 'POST')) {
        method = 'GET'
        body = undefined
      }
    }
    throw new TypeError(`More than ${MAX_REDIRECTS} redirects`)
  }
}

const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
