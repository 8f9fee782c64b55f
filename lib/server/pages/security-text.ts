import 'server-only'
import { getServices } from '@/lib/runtime'
import { problemResponse, RequestRefusedError } from '../http/problem'

/** Days that the text says it is valid for; every request gets a new one. */
const VALID_DAYS = 180

/** `GET /.well-known/security.txt` (RFC 9116): the contact for reports of security problems, if the operator has set one. */
export const securityText = { method: 'get', path: '/.well-known/security.txt', handle: answer } as const

async function answer(): Promise<Response> {
  const { env } = await getServices()
  const contact = env.RAMIFY_SECURITY_CONTACT
  if (!contact) return problemResponse(new RequestRefusedError(404, 'not_found', 'Not found'))
  const expires = new Date(Date.now() + VALID_DAYS * 24 * 60 * 60 * 1000).toISOString()
  const home = env.BETTER_AUTH_URL
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    ...(home ? [`Canonical: ${new URL(home).origin}/.well-known/security.txt`] : []),
  ]
  return new Response(`${lines.join('\n')}\n`, {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })
}
