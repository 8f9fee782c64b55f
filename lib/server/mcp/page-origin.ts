import 'server-only'
import { isIP } from 'node:net'
import { checkOrigin } from '../http/admit'
import { RequestRefusedError } from '../http/problem'

/**
 * Refuses (403) the request of a page that is not ours. Without a public address the name in `Host` counts as ours only
 * where no other site can point it here: an address, or `localhost` (DNS rebinding).
 *
 * @param publicUrl `BETTER_AUTH_URL`
 */
export function checkPageOrigin(request: Request, publicUrl: string | undefined): void {
  checkOrigin(request, publicUrl)
  if (publicUrl || !request.headers.has('origin')) return
  const name = URL.parse(`http://${request.headers.get('host') ?? ''}`)?.hostname ?? ''
  if (/^(?:.+\.)?localhost$/.test(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0) return
  throw new RequestRefusedError(403, 'wrong_origin', 'This request came from another site.')
}
