import 'server-only'
import { headers } from 'next/headers'
import { getServices } from '@/lib/runtime'
import { ownOrigin } from '@/lib/runtime/front/request-origin'
import { forPage } from './for-page'

/** Where clients find this server, as the request under way did, and the model that a client may name. */
export async function readAgentAddress(): Promise<{ origin: string; model: string }> {
  const [asked, { env, ports }] = await Promise.all([headers(), forPage(getServices())])
  return {
    origin: ownOrigin(asked, env.BETTER_AUTH_URL) ?? `http://localhost:${env.PORT}`,
    model: ports.models.defaultId,
  }
}
