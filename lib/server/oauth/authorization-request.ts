import 'server-only'
import type { KeyScope, OAuthApp } from '@/lib/store'
import { oauthScopes, resourceAt } from './metadata'
import { isSameRedirect, redirectWith } from './redirect-uris'

/** Access that an app asks a person for. */
interface AskedAccess {
  app: OAuthApp
  redirectUri: string
  scopes: KeyScope[]
  resource: string
  codeChallenge: string
  state: string | undefined
  /** address that tells the app of the person's refusal */
  refusedAt: string
}

export type AuthorizationRequest =
  | ({ kind: 'asked' } & AskedAccess)
  /** the app made a mistake; `back` tells it, and only the person goes there */
  | { kind: 'refused'; app: OAuthApp; redirectUri: string; problem: string; back: string }
  /** not even the app is certain: nothing leads anywhere */
  | { kind: 'broken'; problem: string }

const LONGEST_STATE = 2000

/**
 * Reads the request of an app, the query of `/oauth/authorize`. Until app and redirect are known to belong together nothing is
 * sent to the redirect, and after that only by the hand of the person: a link to this server cannot lead a browser on unseen.
 *
 * @param origin of this server, as the request found it
 */
export async function readAuthorization(
  query: URLSearchParams,
  origin: string,
  find: (clientId: string) => Promise<OAuthApp | undefined>,
): Promise<AuthorizationRequest> {
  if (new Set(query.keys()).size !== query.size)
    return { kind: 'broken', problem: 'Its request says something twice.' }
  const [clientId, redirectUri] = [query.get('client_id') ?? '', query.get('redirect_uri') ?? '']
  const app = await find(clientId)
  if (!app) {
    const problem =
      'It is not registered here, or not any more. Remove this server in the app, and add it again.'
    return { kind: 'broken', problem }
  }
  if (!app.redirectUris.some((registered) => isSameRedirect(registered, redirectUri)))
    return { kind: 'broken', problem: 'It asks to be answered at an address that it has not registered.' }

  const state = query.get('state') ?? undefined
  const back = (error: string, description: string) =>
    redirectWith(redirectUri, { error, error_description: description, state, iss: origin })
  const refused = (error: string, problem: string) =>
    ({ kind: 'refused', app, redirectUri, problem, back: back(error, problem) }) as const
  if (state !== undefined && state.length > LONGEST_STATE)
    return { kind: 'broken', problem: 'Its request is too long.' }
  if (query.get('response_type') !== 'code')
    return refused('unsupported_response_type', 'This server answers with a code: response_type=code.')
  const codeChallenge = query.get('code_challenge') ?? ''
  if (query.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(codeChallenge))
    return refused('invalid_request', 'This server asks for PKCE with S256.')
  const resource = resourceAt(origin)
  const asked = query.get('resource')
  if (asked !== null && asked.replace(/\/$/, '') !== resource)
    return refused('invalid_target', `This server gives access to ${resource} alone.`)
  const scopes = scopesIn(query.get('scope'))
  if (scopes.length === 0) return refused('invalid_scope', 'The scopes of this server are read and write.')
  const refusedAt = back('access_denied', 'The person has refused.')
  return { kind: 'asked', app, redirectUri, scopes, resource, codeChallenge, state, refusedAt }
}

/** The scopes of this server in a text; all of them without a text. Scopes of other servers are ignored. */
export function scopesIn(text: string | null | undefined): KeyScope[] {
  const asked = (text ?? '').split(' ').filter((scope) => scope !== '')
  return asked.length === 0 ? [...oauthScopes] : oauthScopes.filter((scope) => asked.includes(scope))
}
