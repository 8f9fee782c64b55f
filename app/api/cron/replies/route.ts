import { routeOf } from '@/lib/server/api/operation'
import { doWork, doWorkByPost } from '@/lib/server/api/operations'

/** A reply takes as long as the model takes; hosts with a limit cut it here. */
export const maxDuration = 300

export const dynamic = 'force-dynamic'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(doWork, doWorkByPost)
