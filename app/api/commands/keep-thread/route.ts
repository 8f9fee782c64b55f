import { routeOf } from '@/lib/server/api/operation'
import { keepThread } from '@/lib/server/api/verbs/fan-out'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(keepThread)
