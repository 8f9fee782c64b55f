import { routeOf } from '@/lib/server/api/operation'
import { redo } from '@/lib/server/api/verbs/undo'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(redo)
