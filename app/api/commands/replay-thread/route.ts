import { routeOf } from '@/lib/server/api/operation'
import { replayThread } from '@/lib/server/api/verbs/replays'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(replayThread)
