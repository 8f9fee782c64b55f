import { type NextRequest, NextResponse } from 'next/server'
import { problemHeaders, problemText, type Refusal, refusalOfStatus } from '@/lib/runtime/front/problem-text'
import { isDecodable } from '@/lib/runtime/front/request-origin'
import { refuseHostOf } from '@/lib/runtime/front/served-hosts'
import { lacksVersion, refuseAddress } from '@/lib/server/gateway/base-url'
import { refusePageRequest } from '@/lib/server/http/action-request'
import { refusePage } from '@/lib/server/http/page-rate'

/**
 * Runs before every page: requests that no page answers are refused, the public address replaces the one a proxy made of
 * it, and the answer gets a content security policy with a nonce of its own. The pages show the text of a model, and
 * nothing in that text may load, run or send anything elsewhere.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const misdirected = refuseHostOf(request.headers)
  if (misdirected) return refused(misdirected)
  const { pathname } = request.nextUrl
  if (!isDecodable(pathname)) {
    return refused({ status: 400, code: 'invalid', detail: 'The path is not percent-encoded UTF-8.' })
  }
  if (lacksVersion(pathname)) return refuseAddress(request)
  // the framework serves its error page at an address of its own
  if (pathname === '/_global-error') return refused(refusalOfStatus(404))
  const publicUrl = process.env.BETTER_AUTH_URL || undefined
  const tooMany = refusePage(request)
  if (tooMany) return tooMany
  const refusal = await refusePageRequest(request, publicUrl)
  if (refusal) return refused(refusal)

  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
  const policy = policyWith(nonce)
  const headers = new Headers(request.headers)
  headers.set('x-nonce', nonce)
  headers.set('content-security-policy', policy)
  if (publicUrl && URL.canParse(publicUrl)) {
    const { host, protocol } = new URL(publicUrl)
    headers.set('host', host)
    headers.set('x-forwarded-host', host)
    headers.set('x-forwarded-proto', protocol.slice(0, -1))
  }
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  if (publicUrl?.startsWith('https:')) {
    response.headers.set('strict-transport-security', 'max-age=31536000')
  }
  return response
}

/**
 * The style sheet of toasts (sonner 2.0.8), by its content, and empty as it is created. A missing page is rendered
 * by the browser alone: the script that gives style sheets the nonce does not run there.
 */
const TOASTS =
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY=' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"

function policyWith(nonce: string): string {
  // development needs eval for its error overlay, and a socket for reloading
  const development = process.env.NODE_ENV === 'development'
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    // for browsers that do not know the next two
    "style-src 'self' 'unsafe-inline'",
    // development adds style sheets as markup
    `style-src-elem 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}' ${TOASTS}`}`,
    // React Flow places its nodes, and toasts theirs, by style attributes
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${development ? ' ws:' : ''}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function refused(refusal: Refusal): NextResponse {
  const headers = new Headers(problemHeaders)
  if (refusal.status === 405) headers.set('allow', 'GET, HEAD')
  return new NextResponse(problemText(refusal), { status: refusal.status, headers })
}

export const config = {
  // not /api/chat itself, nor sign-in, nor what agents call: a request's body passes through here cut to 10 MB
  matcher: [
    '/((?!api/|v1/|_next/static|_next/image|icon.svg).*)',
    '/api/chat/:path+',
    '/api/chats/:path+',
    '/api/threads/:path+',
    '/api/keys/:path+',
  ],
}
