import { routesBelow } from '@/lib/server/http/routes'
import { oauthMetadata } from '@/lib/server/oauth/metadata'
import { securityText } from '@/lib/server/pages/security-text'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routesBelow('/.well-known', [
  ...oauthMetadata,
  securityText,
])
