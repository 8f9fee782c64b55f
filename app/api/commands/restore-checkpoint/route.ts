import { restoreCheckpoint } from '@/lib/server/api/moves'
import { routeOf } from '@/lib/server/api/operation'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(restoreCheckpoint)
