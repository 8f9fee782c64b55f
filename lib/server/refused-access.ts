import 'server-only'
import { bearerOf, UnauthenticatedError } from '@/lib/auth'
import { audit } from '@/lib/runtime'
import { clientAddress } from './client-address'
import { RequestRefusedError } from './problem'

/** Lines about one address in a minute; a scan must not fill the log. */
const LINES = 20
const MINUTE = 60_000
/** Addresses counted at a time. */
const MOST = 10_000

const shared = globalThis as typeof globalThis & {
  __ramifyRefusals?: Map<string, { since: number; count: number }>
}

/** Writes to the audit log that a request with a wrong credential, or with too small a one, was refused. */
export function auditRefusal(request: Request, error: unknown): void {
  const reason = reasonOf(request, error)
  if (!reason) return
  const address = clientAddress(request)
  if (!hasRoom(address)) return
  audit('access_refused', { reason, address, path: new URL(request.url).pathname.slice(0, 200) })
}

function reasonOf(request: Request, error: unknown): string | undefined {
  if (error instanceof RequestRefusedError && error.status === 403) return error.code
  if (!(error instanceof UnauthenticatedError)) return undefined
  if (bearerOf(request) !== undefined) return 'key'
  return request.headers.get('cookie')?.includes('session_token=') ? 'session' : undefined
}

function hasRoom(address: string): boolean {
  shared.__ramifyRefusals ??= new Map()
  const lines = shared.__ramifyRefusals
  const now = Date.now()
  const known = lines.get(address)
  if (known && now - known.since < MINUTE) {
    known.count += 1
    return known.count <= LINES
  }
  if (lines.size >= MOST) lines.clear()
  lines.set(address, { since: now, count: 1 })
  return true
}
