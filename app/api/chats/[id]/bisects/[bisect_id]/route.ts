import { routeOf } from '@/lib/server/api/operation'
import { steerBisect } from '@/lib/server/api/verbs/bisects'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(steerBisect)
