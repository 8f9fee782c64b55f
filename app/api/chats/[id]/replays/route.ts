import { routeOf } from '@/lib/server/api/operation'
import { listReplays } from '@/lib/server/api/verbs/replays'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(listReplays)
