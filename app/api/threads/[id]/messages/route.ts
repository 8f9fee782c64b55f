import { routeOf } from '@/lib/server/api/operation'
import { readMessages } from '@/lib/server/api/threads'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(readMessages)
