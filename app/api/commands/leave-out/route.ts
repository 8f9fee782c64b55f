import { routeOf } from '@/lib/server/api/operation'
import { leaveOut } from '@/lib/server/api/verbs/moves'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(leaveOut)
