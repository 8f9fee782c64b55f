import 'server-only'
import { isOwnOrigin } from '@/lib/runtime/front/request-origin'
import { RequestRefusedError } from './problem'

/**
 * Refuses a write that another site's page made with this browser's cookie: scheme, host and port of its `Origin` must
 * be ours. Requests without an Origin header come from no page. `publicUrl` is `BETTER_AUTH_URL`.
 */
export function checkOrigin(request: Request, publicUrl: string | undefined): void {
  const origin = request.headers.get('origin')
  if (origin === null || isOwnOrigin(origin, request.headers, publicUrl)) return
  throw new RequestRefusedError(403, 'wrong_origin', 'This request came from another site.')
}
