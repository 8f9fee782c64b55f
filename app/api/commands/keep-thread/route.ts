import { keepThread } from '@/lib/server/api/fan-out'
import { routeOf } from '@/lib/server/api/operation'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(keepThread)
