import { routeOf } from '@/lib/server/api/operation'
import { switchThread } from '@/lib/server/api/verbs/moves'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(switchThread)
