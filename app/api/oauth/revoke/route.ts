import { revokeTokens } from '@/lib/server/api/oauth'
import { routeOf } from '@/lib/server/api/operation'
import { openToPages } from '@/lib/server/oauth/answers'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openToPages(routeOf(revokeTokens))
