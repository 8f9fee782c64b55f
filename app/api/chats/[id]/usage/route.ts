import { routeOf } from '@/lib/server/api/operation'
import { readChatUsage } from '@/lib/server/api/usage'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(readChatUsage)
