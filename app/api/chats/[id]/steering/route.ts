import { routeOf } from '@/lib/server/api/operation'
import { steerAgent } from '@/lib/server/api/steering'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(steerAgent)
