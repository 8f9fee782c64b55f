import { allOperations } from '@/lib/server/api'
import { routesBelow } from '@/lib/server/http/routes'

/** A reply takes as long as the model takes, and a stream ends by itself before that; hosts with a limit cut it here. */
export const maxDuration = 300

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routesBelow('/api', allOperations)
