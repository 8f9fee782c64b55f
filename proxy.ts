import { type NextRequest, NextResponse } from 'next/server'
import { refusePage } from './lib/server/page-rate'

/**
 * The content security policy of every page, with a nonce of its own. A model's words are shown on these pages:
 * nothing they contain may load, run or send anything elsewhere.
 */
export function proxy(request: NextRequest): Response {
  if (!isDecodable(request.nextUrl.pathname)) return new NextResponse('Bad Request', { status: 400 })
  const refused = refusePage(request)
  if (refused) return refused
  const nonce = btoa(crypto.randomUUID())
  // development needs eval for its error overlay, and a socket for reloading
  const development = process.env.NODE_ENV === 'development'
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    // React Flow places its nodes, and toasts theirs, by style attributes
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${development ? ' ws:' : ''}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
  const headers = new Headers(request.headers)
  headers.set('x-nonce', nonce)
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}

/** The router answers an address with half a character in it with a 500. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

export const config = {
  // not /api/chat itself, nor sign-in: a request's body passes through here cut to 10 MB
  matcher: [
    '/((?!api/|_next/static|_next/image|icon.svg).*)',
    '/api/chat/:path+',
    '/api/chats/:path+',
    '/api/threads/:path+',
    '/api/keys/:path+',
  ],
}
