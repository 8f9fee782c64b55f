import { listContexts } from '@/lib/server/api/contexts'
import { routeOf } from '@/lib/server/api/operation'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(listContexts)
