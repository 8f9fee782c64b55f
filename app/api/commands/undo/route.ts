import { routeOf } from '@/lib/server/api/operation'
import { undo } from '@/lib/server/api/verbs/undo'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(undo)
