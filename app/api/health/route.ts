import { checkHealth } from '@/lib/server/api/operations'
import { routeOf } from '@/lib/server/http/route'

export const dynamic = 'force-dynamic'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(checkHealth)
