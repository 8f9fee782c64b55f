import { routeOf } from '@/lib/server/api/operation'
import { steerReplay } from '@/lib/server/api/verbs/replays'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(steerReplay)
