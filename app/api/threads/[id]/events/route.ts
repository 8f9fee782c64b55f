import { routeOf } from '@/lib/server/api/operation'
import { readEvents } from '@/lib/server/api/threads'

/** A stream ends before hosts with a limit cut it here; its reader then reconnects. */
export const maxDuration = 300

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(readEvents)
