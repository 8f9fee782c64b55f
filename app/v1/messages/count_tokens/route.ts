import { countMessageTokens } from '@/lib/server/api/gateway'
import { routeOf } from '@/lib/server/api/operation'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(countMessageTokens)
