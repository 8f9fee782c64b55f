import { routeOf } from '@/lib/server/api/operation'
import { listBisects, startBisect } from '@/lib/server/api/verbs/bisects'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(startBisect, listBisects)
