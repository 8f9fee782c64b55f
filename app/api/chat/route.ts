import { routeOf } from '@/lib/server/api/operation'
import { takeTurn } from '@/lib/server/api/turn'

/** A reply takes as long as the model takes; hosts with a limit cut it here. */
export const maxDuration = 300

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(takeTurn)
