import { routeOf } from '@/lib/server/api/operation'
import { readUsage } from '@/lib/server/api/usage'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(readUsage)
