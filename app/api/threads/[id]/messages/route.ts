import { readMessages } from '@/lib/server/api/threads'
import { routeOf } from '@/lib/server/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(readMessages)
