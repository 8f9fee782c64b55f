import 'server-only'
import type { OAuthMetadata, OAuthProtectedResourceMetadata } from '@modelcontextprotocol/sdk/shared/auth.js'
import { getServices } from '@/lib/runtime'
import { ownOrigin } from '@/lib/runtime/front/request-origin'
import { authMethods } from '@/lib/store'
import { problemResponse, RequestRefusedError } from '../http/problem'
import { forAnyPage } from '../http/routes'

/** Scopes that apps may ask for and that tokens carry. */
export const oauthScopes = ['read', 'write'] as const

/** The address that tokens are good for, on a server at `origin`. */
export const resourceAt = (origin: string): string => `${origin}/mcp`

const RESOURCE = '/.well-known/oauth-protected-resource'

/** Address at which an app learns to ask for access to `/mcp` (RFC 9728). */
export const resourceMetadataAt = (origin: string): string => `${origin}${RESOURCE}/mcp`

const resourceMetadata = (origin: string): OAuthProtectedResourceMetadata => ({
  resource: resourceAt(origin),
  resource_name: 'Ramify',
  resource_documentation: `${origin}/docs/agents`,
  authorization_servers: [origin],
  scopes_supported: [...oauthScopes],
  bearer_methods_supported: ['header'],
})

const serverMetadata = (origin: string): OAuthMetadata => ({
  issuer: origin,
  authorization_endpoint: `${origin}/oauth/authorize`,
  token_endpoint: `${origin}/api/oauth/token`,
  registration_endpoint: `${origin}/api/oauth/register`,
  revocation_endpoint: `${origin}/api/oauth/revoke`,
  service_documentation: `${origin}/docs/agents`,
  scopes_supported: [...oauthScopes],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: [...authMethods],
  revocation_endpoint_auth_methods_supported: [...authMethods],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
})

/** Documents of the server about itself: as a resource, also followed by its path (RFC 9728), and as a giver of access (RFC 8414). */
export const oauthMetadata = [
  { path: RESOURCE, documentAt: resourceMetadata },
  { path: `${RESOURCE}/mcp`, documentAt: resourceMetadata },
  { path: '/.well-known/oauth-authorization-server', documentAt: serverMetadata },
].map(({ path, documentAt }) => ({
  method: 'get' as const,
  path,
  openToPages: true as const,
  handle: (request: Request) => answer(request, documentAt),
}))

async function answer(request: Request, documentAt: (origin: string) => object): Promise<Response> {
  const { env } = await getServices()
  const origin = ownOrigin(request.headers, env.BETTER_AUTH_URL)
  if (origin === undefined)
    return problemResponse(new RequestRefusedError(400, 'invalid', 'The Host header does not name a host.'))
  // the address in it is that of the request
  return Response.json(documentAt(origin), { headers: { ...forAnyPage, 'cache-control': 'no-store' } })
}
