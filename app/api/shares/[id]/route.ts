import { routeOf } from '@/lib/server/api/operation'
import { revokeShare } from '@/lib/server/api/shares'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(revokeShare)
