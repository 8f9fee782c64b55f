import { routeOf } from '@/lib/server/api/operation'
import { copyShare } from '@/lib/server/api/shares'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(copyShare)
