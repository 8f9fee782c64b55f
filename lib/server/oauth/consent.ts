import 'server-only'
import type { Viewer } from '@/lib/auth'
import { audit, type Services } from '@/lib/runtime'
import { clientAddress, ownOrigin } from '@/lib/runtime/front/request-origin'
import type { KeyScope } from '@/lib/store'
import { RequestRefusedError } from '../http/problem'
import { type AuthorizationRequest, readAuthorization } from './authorization-request'
import { redirectWith } from './redirect-uris'

/** Reads an app's request for access from its query. */
export function readAsked(
  query: string,
  headers: Pick<Headers, 'get'>,
  { apps, env }: Pick<Services, 'apps' | 'env'>,
): Promise<{ origin: string; asked: AuthorizationRequest }> {
  const origin = ownOrigin(headers, env.BETTER_AUTH_URL) ?? `http://localhost:${env.PORT}`
  const found = readAuthorization(new URLSearchParams(query), origin, (id) => apps.find(id))
  return found.then((asked) => ({ origin, asked }))
}

interface Consent {
  /** the query of the request, as the person has seen it */
  query: string
  /** whom the page showed */
  person: string
  scopes: readonly KeyScope[]
}

/**
 * A person lets an app in. The request is read again as the page has read it, so that nothing is granted that was not shown.
 * Returns the address that tells the app.
 */
export async function letIn(
  { query, person, scopes }: Consent,
  { request, viewer, services }: { request: Request; viewer: Viewer; services: Services },
): Promise<string> {
  if (viewer.guest) throw new RequestRefusedError(403, 'account_needed', ACCOUNT_NEEDED)
  if (viewer.id !== person) {
    const detail = 'You are signed in as another person by now. Load the page again.'
    throw new RequestRefusedError(409, 'other_person', detail)
  }
  const { origin, asked } = await readAsked(query, request.headers, services)
  if (asked.kind !== 'asked') throw new RequestRefusedError(400, 'invalid', asked.problem)
  if (scopes.some((scope) => !asked.scopes.includes(scope)))
    throw new RequestRefusedError(400, 'invalid', 'The app has not asked for this.')
  const { app, redirectUri, resource, codeChallenge, state } = asked
  const grant = { clientId: app.id, redirectUri, resource, codeChallenge, scopes }
  const made = await services.apps.grant(viewer.id, grant, services.limits.keys)
  if (!made)
    throw new RequestRefusedError(409, 'gone', 'This app is not registered any more. Connect it again.')
  if (!made.made) {
    const detail = `${made.used} apps are connected to your account, the most that is allowed. Disconnect one in the settings.`
    throw new RequestRefusedError(409, 'too_many_apps', detail)
  }
  const address = clientAddress(request)
  audit('app_connected', {
    person: viewer.id,
    app: made.id,
    name: app.name,
    scopes: scopes.join(' '),
    address,
    to: new URL(redirectUri).host,
  })
  return redirectWith(redirectUri, { code: made.code, state, iss: origin })
}

const ACCOUNT_NEEDED =
  'A guest cannot connect an app: everything of a guest hangs on this browser. Sign in to an account first.'
