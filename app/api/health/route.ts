import { routeOf } from '@/lib/server/api/operation'
import { checkHealth } from '@/lib/server/api/operations'

export const dynamic = 'force-dynamic'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(checkHealth)
