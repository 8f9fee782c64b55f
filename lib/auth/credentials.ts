/** Names and attributes of the session cookies, as the identity service takes them. */
export function cookieOptions(https: boolean) {
  return {
    // its own prefix would be `__Secure-`, which a page of a subdomain can set too
    useSecureCookies: false,
    cookiePrefix: https ? '__Host-better-auth' : 'better-auth',
    defaultCookieAttributes: {
      secure: https,
      path: '/',
      httpOnly: true,
      sameSite: 'lax' as const,
    },
  }
}

const HOST = '__Host-better-auth.session_token'
const FORMER = '__Secure-better-auth.session_token'

/**
 * The same headers with the session cookie of the former name under the present one; undefined when there is nothing to
 * translate: no former cookie, or a present one beside it, which counts.
 */
export function withFormerCookie(headers: Headers): Headers | undefined {
  const cookies = (headers.get('cookie') ?? '').split(/;\s*/)
  const former = cookies.find((cookie) => cookie.startsWith(`${FORMER}=`))
  if (!former || cookies.some((cookie) => cookie.startsWith(`${HOST}=`))) return undefined
  const translated = new Headers(headers)
  translated.set('cookie', [...cookies, `${HOST}${former.slice(FORMER.length)}`].join('; '))
  return translated
}

/** The bearer token of a request, empty when it names none; undefined when it has none, or other credentials. */
export function bearerOf(request: Request): string | undefined {
  const [scheme, token = ''] = (request.headers.get('authorization') ?? '').split(/\s+/)
  return scheme?.toLowerCase() === 'bearer' ? token : undefined
}
