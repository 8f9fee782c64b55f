import 'server-only'
import { RequestRefusedError } from './problem'

/**
 * Refuses a write that another site's page made with this browser's cookie. The framework checks this for server
 * actions only. Requests without an Origin header come from no page. `ownUrl` is the address behind a proxy.
 */
export function checkOrigin(request: Request, ownUrl: string | undefined): void {
  const origin = request.headers.get('origin')
  if (origin === null) return
  const hosts = [request.headers.get('host'), ownUrl && new URL(ownUrl).host]
  if (!URL.canParse(origin) || !hosts.includes(new URL(origin).host)) {
    throw new RequestRefusedError(403, 'wrong_origin', 'This request came from another site.')
  }
}
