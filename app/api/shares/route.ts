import { routeOf } from '@/lib/server/api/operation'
import { createShare, listShares } from '@/lib/server/api/shares'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(createShare, listShares)
