import 'server-only'
import { headers } from 'next/headers'
import { readViewer } from '@/lib/auth'
import { getServices } from '@/lib/runtime'
import { ownOrigin } from '@/lib/runtime/front/request-origin'
import { forPage } from './for-page'

/**
 * Address of this server for clients, as in the present request, a model that a client may name, and
 * `keyless`: programs on this machine need no key.
 */
export async function readAgentAddress(): Promise<{ origin: string; model: string; keyless: boolean }> {
  const [asked, { env, ports }, viewer] = await Promise.all([
    headers(),
    forPage(getServices()),
    forPage(readViewer()),
  ])
  return {
    origin: ownOrigin(asked, env.BETTER_AUTH_URL) ?? `http://localhost:${env.PORT}`,
    model: ports.models.defaultId,
    keyless: viewer?.credential.kind === 'owner',
  }
}
