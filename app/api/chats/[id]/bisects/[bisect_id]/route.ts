import { steerBisect } from '@/lib/server/api/bisects'
import { routeOf } from '@/lib/server/api/operation'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(steerBisect)
