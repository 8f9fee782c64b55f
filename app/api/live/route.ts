import { watchChat } from '@/lib/server/api/chats'
import { routeOf } from '@/lib/server/api/operation'

/** A stream ends before hosts with a limit cut it here; its reader then reconnects. */
export const maxDuration = 300

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(watchChat)
