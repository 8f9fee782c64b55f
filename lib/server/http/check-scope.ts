import 'server-only'
import type { Viewer } from '@/lib/auth'
import type { KeyScope } from '@/lib/store'
import { RequestRefusedError } from './problem'

/** Refuses (403) what a viewer's key may not do. A session may do everything. */
export function checkScope({ credential }: Viewer, scope: KeyScope): void {
  if (credential.kind === 'session' || credential.scopes?.includes(scope)) return
  throw new RequestRefusedError(
    403,
    'insufficient_scope',
    scope === 'write' ? 'This API key may only read.' : 'This API key may only write.',
  )
}
