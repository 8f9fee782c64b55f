import { routeOf } from '@/lib/server/api/operation'
import { unarchiveThread } from '@/lib/server/api/verbs/moves'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(unarchiveThread)
